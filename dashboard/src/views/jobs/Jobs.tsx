/** Jobs: what the background has to do, does, did, and gave up. */

import type { JobReply, JobStatus, ProgressReply } from "../../api/contracts";
import { useChange, useRead } from "../../api/queries";
import { go, setParameter, to, useRoute } from "../../app/routes";
import { useScope } from "../../app/scopes";
import { Badge, Button, type Tone } from "../../ui/controls";
import { Fact, Facts } from "../../ui/facts";
import { Page } from "../../ui/pages";
import { Empty, Read } from "../../ui/states";
import { Table, type Column } from "../../ui/tables";
import { Time } from "../../ui/times";
import { useToasts } from "../../ui/toasts";
import { useLive, type Link, type Work } from "./live";
import "./Jobs.css";

const ATTEMPTS = 5;

const STATUSES: readonly (readonly [status: JobStatus, title: string, tone: Tone])[] = [
  ["waiting", "Waiting", "accent"],
  ["running", "Running", "warn"],
  ["done", "Done", "good"],
  ["dead", "Given up", "bad"],
];

const KINDS: Record<string, string> = {
  expand_memory: "Split up a long memory",
  refresh_communities: "Find communities",
};

const isStatus = (value: string | null): value is JobStatus => STATUSES.some(([status]) => status === value);

export default function Jobs() {
  const scope = useScope();
  const { query } = useRoute();
  const asked = query.get("status");
  const status = isStatus(asked) ? asked : null;
  const { work, link } = useLive();
  const jobs = useRead(
    "GET /v1/agents/{agent}/jobs",
    { path: scope.path, query: { ...scope.query, limit: 200, ...(status ? { status } : {}) } },
    link === "asking" ? { every: 5_000 } : {},
  );
  return (
    <Page
      title="Jobs"
      lead="Work done in the background. A job that fails is tried again a few times, later each time, and then given up."
      tools={<Replay count={work?.dead ?? 0} />}
    >
      <div className="jobs-bar">
        <Statuses chosen={status} work={work} />
        <Mark link={link} />
      </div>
      {work && !work.embeddings.complete && <Embedding of={work.embeddings} />}
      <Read from={jobs} what="Reading the jobs">
        {({ jobs: rows }) => (rows.length ? <List rows={rows} /> : <Nothing status={status} />)}
      </Read>
    </Page>
  );
}

function Statuses({ chosen, work }: { chosen: JobStatus | null; work: Work | null }) {
  const every = work && work.waiting + work.running + work.done + work.dead;
  const all = [[null, "All", every] as const, ...STATUSES.map(([status, title]) => [status, title, work && work[status]] as const)];
  return (
    <div className="jobs-statuses" role="group" aria-label="Jobs by status">
      {all.map(([status, title, count]) => (
        <Button key={title} look="quiet" aria-pressed={status === chosen} onClick={() => setParameter("status", status)}>
          {title} {count !== null && <span className={`jobs-count ${status === "dead" && count ? "bad" : ""}`}>{count}</span>}
        </Button>
      ))}
    </div>
  );
}

/** Whether the page hears of changes by itself. */
function Mark({ link }: { link: Link }) {
  const [words, why] = {
    opening: ["Connecting …", "The stream of events is being opened."],
    live: ["Live", "The server tells this page of every change."],
    asking: ["Asking every 5 s", "There is no stream of events from the server, so this page asks."],
  }[link] as [string, string];
  return (
    <span className={`jobs-mark ${link}`} role="status" title={why}>
      {words}
    </span>
  );
}

function Embedding({ of }: { of: ProgressReply }) {
  return (
    <label className="jobs-embedding">
      Passages with a vector: {of.done.toLocaleString()} of {of.total.toLocaleString()}
      <progress value={of.done} max={of.total} />
    </label>
  );
}

function List({ rows }: { rows: readonly JobReply[] }) {
  const { argument, query } = useRoute();
  const kept = { status: query.get("status") };
  const toggle = (job: JobReply) => go(to("jobs", job.id === argument ? null : job.id, kept), { replace: true });
  const columns: Column<JobReply>[] = [
    {
      title: "Job",
      cell: (job) => (
        <Button look="quiet" className="jobs-open" aria-expanded={job.id === argument} onClick={() => toggle(job)}>
          {KINDS[job.kind] ?? job.kind.replaceAll("_", " ")}
        </Button>
      ),
    },
    { title: "Status", cell: (job) => <Status of={job.status} /> },
    { title: "Attempts", cell: (job) => `${job.attempts} of ${ATTEMPTS}` },
    { title: "When", cell: (job) => <When of={job} /> },
    { title: "Trouble", look: "wide", cell: (job) => (job.error ? <span className="jobs-error">{job.error}</span> : "–") },
    { title: "", look: "end", cell: (job) => (job.status === "dead" ? <TryAgain job={job} /> : null) },
  ];
  return <Table label="Jobs" rows={rows} columns={columns} keyOf={(job) => job.id} below={(job) => job.id === argument && <Details of={job} />} />;
}

function Status({ of }: { of: JobStatus }) {
  const [, title, tone] = STATUSES.find(([status]) => status === of) ?? [of, of, "plain" as const];
  return <Badge tone={tone}>{title.toLowerCase()}</Badge>;
}

/** The moment that counts: the next run of what waits, the end of what is over. */
function When({ of }: { of: JobReply }) {
  if (of.status === "waiting") return <>{of.attempts ? "again" : "due"} <Time at={of.run_at} look="ago" /></>;
  if (of.status === "running") return <>taken until <Time at={of.leased_until} look="ago" /></>;
  return <Time at={of.finished_at} look="ago" />;
}

function Details({ of }: { of: JobReply }) {
  const moments = [["Enqueued", of.created_at], ["Next run", of.status === "waiting" ? of.run_at : null], ["Finished", of.finished_at]] as const;
  return (
    <Facts>
      <Fact name="Id">
        <span className="mono">{of.id}</span>
      </Fact>
      {moments.map(
        ([name, at]) =>
          at && (
            <Fact key={name} name={name}>
              <Time at={at} />
            </Fact>
          ),
      )}
      {of.error && (
        <Fact name="Error">
          <span className="mono">{of.error}</span>
        </Fact>
      )}
      <Fact name="Payload">
        <pre className="jobs-payload">{JSON.stringify(of.payload, null, 2)}</pre>
      </Fact>
    </Facts>
  );
}

/** Have jobs tried again that were given up: one, or all. */
function useReplay() {
  const scope = useScope();
  const toasts = useToasts();
  const replay = useChange("POST /v1/agents/{agent}/jobs/replay", ({ replayed }) =>
    toasts.done(replayed === 1 ? "The job is tried again." : `${replayed} jobs are tried again.`),
  );
  const start = (job: string | null) => replay.mutate({ path: scope.path, body: { ...scope.query, job } }, { onError: toasts.failed });
  return { start, busy: replay.isPending };
}

function TryAgain({ job }: { job: JobReply }) {
  const { start, busy } = useReplay();
  return (
    <Button busy={busy} onClick={() => start(job.id)}>
      Try again
    </Button>
  );
}

function Replay({ count }: { count: number }) {
  const { start, busy } = useReplay();
  if (count < 2) return null;
  return (
    <Button busy={busy} onClick={() => start(null)}>
      Try all {count} again
    </Button>
  );
}

function Nothing({ status }: { status: JobStatus | null }) {
  const words: Record<JobStatus, string> = {
    waiting: "Nothing waits to be done.",
    running: "Nothing is being done right now.",
    done: "Nothing was done lately. What is done is only kept for a while.",
    dead: "Nothing was given up. That is how it should be.",
  };
  if (status) return <Empty title={words[status]} />;
  return (
    <Empty title="The background has nothing to do">
      Long memories are split up here and communities are found here, shortly after something new is learned. Work that is done is only kept for a while.
    </Empty>
  );
}
