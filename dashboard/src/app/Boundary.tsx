/** Around a view: when its code cannot be fetched or fails, the rest of the page stays. */

import { Component, type ReactNode } from "react";
import { Button } from "../ui/controls";
import { Empty } from "../ui/states";

export class Boundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <Empty title="This view could not be shown">
        <p>The server may have gone away, or it may have been replaced by a newer one.</p>
        <Button onClick={() => window.location.reload()}>Load the page again</Button>
      </Empty>
    );
  }
}
