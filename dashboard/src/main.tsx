import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Failure } from "./api/client";
import { App } from "./app/App";
import { startThemes } from "./app/themes";
import "./styles/tokens.css";
import "./styles/base.css";

// Only a server that is busy or away is asked again; a refusal stays one.
const again = (failures: number, error: Error): boolean =>
  error instanceof Failure && (error.status === 0 || error.status === 503) && failures < 2;

const queries = new QueryClient({
  defaultOptions: { queries: { retry: again, staleTime: 10_000 }, mutations: { retry: false } },
});

startThemes();
createRoot(document.querySelector("#root")!).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
);
