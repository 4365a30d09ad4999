/** Line icons, 20 by 20, drawn in the colour of the text. */

const PATHS = {
  constellation: "M4 14 9 6l6 3 2 7M9 6l1-3M4 14l6 1 5-6M4 14a1 1 0 1 0 0 .1M9 6a1 1 0 1 0 0 .1M15 9a1 1 0 1 0 0 .1M10 15a1 1 0 1 0 0 .1",
  playground: "M3 4h14v9h-5l-3 3.5V13H3zM7 8.5h.01M10 8.5h.01M13 8.5h.01",
  entities: "M10 9a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM4 17c0-3.3 2.7-5 6-5s6 1.7 6 5",
  review: "M4 10.5 8 14.5 16 5.5M4 17h12",
  recall: "M9 15A6 6 0 1 0 9 3a6 6 0 0 0 0 12ZM13.5 13.5 18 18",
  memories: "M5 3h8l3 3v11H5zM8 9h5M8 12h5M8 6h3",
  documents: "M4 4h5l2 2h5v10H4zM4 9h12",
  working: "M3 5h14v10H3zM3 9h14M7 9v6",
  sessions: "M4 4h12v9H9l-4 4v-4H4z",
  dreams: "M15 12.5A6.5 6.5 0 0 1 7.5 4 6.5 6.5 0 1 0 15 12.5ZM14 3v3M12.5 4.5h3",
  jobs: "M10 6v4l3 2M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14Z",
  audit: "M4 10a6 6 0 1 1 2 4.5M4 10H2.5M4 10l2-2M10 7v3.5l2.5 1.5",
  settings: "M4 6h7M15 6h1M4 14h1M9 14h7M13 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM7 16a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z",
  sun: "M10 13.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM10 2v2M10 16v2M2 10h2M16 10h2M4.5 4.5l1.3 1.3M14.2 14.2l1.3 1.3M15.5 4.5l-1.3 1.3M5.8 14.2l-1.3 1.3",
  moon: "M15.5 12A6.5 6.5 0 0 1 8 4.5 6.5 6.5 0 1 0 15.5 12Z",
  pin: "M7 3h6l-1 5 3 3H5l3-3zM10 11v6",
  more: "M5 10h.01M10 10h.01M15 10h.01",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 20 20" fill="none" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" strokeLinejoin="round" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
