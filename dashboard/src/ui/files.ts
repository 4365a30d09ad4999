/** Hand a file to the browser. */
export function save(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name.replaceAll(/[\\/:]/g, "_");
  link.click();
  URL.revokeObjectURL(link.href);
}
