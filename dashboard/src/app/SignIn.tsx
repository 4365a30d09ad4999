/** Ask for a token where the server wants one. */

import { useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent, type ReactNode } from "react";
import { token } from "../api/client";
import { useRead } from "../api/queries";
import { Button, Field } from "../ui/controls";
import { Failed } from "../ui/states";

export function SignIn({ children }: { children: ReactNode }) {
  const me = useRead("GET /v1/me", {});
  if (me.data) return children;
  if (me.error?.status === 401) return <Ask refused={token.get() !== null} />;
  if (me.error) return <Failed failure={me.error} again={() => void me.refetch()} />;
  return null;
}

function Ask({ refused }: { refused: boolean }) {
  const queries = useQueryClient();
  const [value, setValue] = useState("");
  const submitted = (event: FormEvent) => {
    event.preventDefault();
    token.set(value.trim());
    void queries.resetQueries();
  };
  return (
    <main className="sign-in">
      <form onSubmit={submitted}>
        <img src="./nacre.svg" alt="" width="48" height="48" />
        <h1>Nacre</h1>
        <p>This server wants a token. It is kept in this tab, and forgotten when the tab is closed.</p>
        <Field label="Token" type="password" autoComplete="off" required value={value} onChange={(event) => setValue(event.target.value)} />
        {refused && (
          <p role="alert" className="refused">
            That token is not valid, or not any more.
          </p>
        )}
        <Button type="submit" look="primary">
          Sign in
        </Button>
      </form>
    </main>
  );
}
