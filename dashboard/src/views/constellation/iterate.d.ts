/** One round of ForceAtlas2 on flat matrices; the package ships it without types. */
declare module "graphology-layout-forceatlas2/iterate" {
  import type { ForceAtlas2Settings } from "graphology-layout-forceatlas2";

  export default function iterate(settings: Required<ForceAtlas2Settings>, nodes: Float32Array, edges: Float32Array): object;
}
