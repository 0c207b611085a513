/** Line art of the topics of Help, in the colors of the product. */
import type { ReactNode } from 'react'
import type { Topic } from './help.ts'

const line = (x: number, y: number, length: number, stroke = 'var(--field)') => (
  <path d={`M${x} ${y}h${length}`} stroke={stroke} />
)
const sheet = (x: number, y: number, width: number, height: number) => (
  <rect
    x={x}
    y={y}
    width={width}
    height={height}
    rx="4"
    fill="var(--surface)"
    stroke="var(--ink)"
  />
)
const BARS = 'M0 0v8m4-8v8m3-8v8m5-8v8m3-8v8m4-8v8'

const PICTURES: Record<Topic, ReactNode> = {
  label: (
    <g transform="translate(-9) rotate(-5 32 28)">
      {sheet(14, 3, 36, 50)}
      <path d="M14 14h36M14 38h36M25 3v11" stroke="var(--ink)" />
      {line(32, 9, 11)}
      <path d="M17 9h5" stroke="var(--accent)" strokeWidth="3" />
      {line(21, 22, 20)}
      {line(21, 29, 14)}
      <path d={BARS} transform="translate(22 42)" stroke="var(--ink)" strokeLinecap="butt" />
    </g>
  ),
  bulk: (
    <>
      {sheet(3, 9, 36, 38)}
      <path d="M3 19h36M3 29h36M3 38h36M15 9v38" stroke="var(--field)" />
      {sheet(46, 17, 15, 22)}
      {line(50, 33, 7, 'var(--ink)')}
      {line(50, 23, 7)}
      <path d="M31 24h18m-5-5 5 5-5 5" stroke="var(--accent)" strokeWidth="3" />
    </>
  ),
  print: (
    <>
      {sheet(18, 4, 28, 22)}
      {line(24, 11, 16)}
      {sheet(6, 20, 52, 22)}
      <path d="M14 27h4" stroke="var(--accent)" strokeWidth="3" />
      {sheet(16, 33, 32, 20)}
      <path d="M16 39h32" stroke="var(--ink)" />
      <path d={BARS} transform="translate(23 43)" stroke="var(--ink)" strokeLinecap="butt" />
    </>
  ),
  refund: (
    <>
      {sheet(4, 4, 30, 42)}
      <path d="M4 13h30M4 36h30" stroke="var(--ink)" />
      {line(10, 21, 16)}
      {line(10, 28, 11)}
      <path d="m9 43 20-36" stroke="var(--accent)" strokeWidth="3" />
      <circle cx="46" cy="36" r="15" fill="var(--surface)" stroke="var(--ink)" />
      <path d="M38 35h11a5 5 0 0 1 0 10h-5m-2-14-4 4 4 4" stroke="var(--accent)" strokeWidth="3" />
    </>
  ),
  money: (
    <>
      <path d="M10 14 40 5l4 9" fill="var(--surface)" stroke="var(--ink)" />
      {sheet(4, 14, 52, 36)}
      <path d="M56 25H43a7 7 0 0 0 0 14h13" stroke="var(--ink)" />
      <circle cx="44" cy="32" r="2" fill="var(--accent)" stroke="var(--accent)" />
      {line(11, 23, 16)}
      {line(11, 41, 22)}
    </>
  ),
  account: (
    <g transform="translate(-9)">
      <path
        d="M32 4 52 11v17c0 12-8 20-20 25-12-5-20-13-20-25V11Z"
        fill="var(--surface)"
        stroke="var(--ink)"
      />
      <path
        d="M32 11 46 16v12c0 8-5 14-14 18-9-4-14-10-14-18V16Z"
        stroke="var(--field)"
        strokeDasharray="1 4"
      />
      <path d="m25 28 5 6 10-11" stroke="var(--accent)" strokeWidth="3" />
    </g>
  ),
  program: (
    <>
      {sheet(4, 7, 56, 42)}
      <path d="M4 17h56" stroke="var(--ink)" />
      {line(10, 12, 3)}
      {line(17, 12, 3)}
      <path d="m22 26-7 7 7 7m20-14 7 7-7 7" stroke="var(--ink)" />
      <path d="m35 24-6 18" stroke="var(--accent)" strokeWidth="3" />
    </>
  ),
  other: (
    <g transform="translate(-8)">
      {sheet(12, 3, 40, 50)}
      {line(20, 45, 24)}
      <path d="M25 19c0-9 14-9 14 0 0 6-7 6-7 12m0 6v.5" stroke="var(--accent)" strokeWidth="3" />
    </g>
  ),
}

export const TopicPicture = ({ topic }: { topic: Topic }) => (
  <svg
    viewBox="0 0 64 56"
    width={64}
    height={56}
    fill="none"
    strokeWidth="2"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    {PICTURES[topic]}
  </svg>
)
