import { Button } from "../../ui/controls";
import { useToasts } from "../../ui/toasts";

/** A button that puts a text on the clipboard, and says so. */
export function Copy({ text, what }: { text: string; what: string }) {
  const toasts = useToasts();
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    toasts.done(`${what} is on the clipboard.`);
  };
  return (
    <Button look="quiet" onClick={() => void copy()}>
      Copy
    </Button>
  );
}
