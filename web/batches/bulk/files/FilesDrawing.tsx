/** Decoration: a file whose lines become rows, in the colors of the product. */
export function FilesDrawing({ className }: { className?: string }) {
  return (
    <svg
      className={className}
      viewBox="0 0 240 96"
      width={240}
      height={96}
      fill="none"
      aria-hidden="true"
    >
      <path
        d="M14 8h34l14 14v62a4 4 0 0 1-4 4H14a4 4 0 0 1-4-4V12a4 4 0 0 1 4-4Z"
        fill="var(--surface)"
        stroke="var(--ink)"
        strokeWidth="2"
      />
      <path d="M48 8v14h14" stroke="var(--ink)" strokeWidth="2" strokeLinejoin="round" />
      {[36, 48, 60, 72].map((y, index) => (
        <path
          key={y}
          d={`M20 ${y}h${index === 2 ? 18 : 32}`}
          stroke="var(--field)"
          strokeWidth="3"
          strokeLinecap="round"
        />
      ))}
      <path
        d="M78 48h30m-8-8 8 8-8 8"
        stroke="var(--accent)"
        strokeWidth="3"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      {[8, 38, 68].map((y, index) => (
        <g key={y}>
          <rect
            x="126"
            y={y}
            width="104"
            height="20"
            rx="5"
            fill="var(--surface)"
            stroke="var(--ink)"
            strokeWidth="2"
          />
          <circle cx="137" cy={y + 10} r="3" fill="var(--accent)" />
          <path
            d={`M147 ${y + 10}h${index === 1 ? 26 : 34}`}
            stroke="var(--ink)"
            strokeWidth="3"
            strokeLinecap="round"
          />
          <path
            d={`M192 ${y + 6}v8m5-8v8m4-8v8m6-8v8m4-8v8m5-8v8`}
            stroke="var(--field)"
            strokeWidth="2"
          />
        </g>
      ))}
    </svg>
  )
}
