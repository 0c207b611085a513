/** Decoration of lists without entries: what will be in them, in line art and the colors of the product. */
import type { ReactNode } from 'react'

function Picture({ height, children }: { height: number; children: ReactNode }) {
  return (
    <svg
      viewBox={`0 0 240 ${height}`}
      width={240}
      height={height}
      fill="none"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  )
}

const line = (x: number, y: number, length: number, stroke = 'var(--field)') => (
  <path d={`M${x} ${y}h${length}`} stroke={stroke} strokeWidth="3" />
)

const BARCODE = 'M0 0v18m5-18v18m4-18v18m7-18v18m4-18v18m6-18v18m4-18v18m7-18v18m5-18v18m4-18v18'

/** A blank label at its perforation. */
export function LabelPicture() {
  return (
    <Picture height={136}>
      <path d="M20 118h200" stroke="var(--field)" strokeDasharray="1 7" />
      <g transform="rotate(-4 120 70)">
        <rect
          x="74"
          y="6"
          width="92"
          height="124"
          rx="6"
          fill="var(--surface)"
          stroke="var(--ink)"
        />
        <path d="M74 32h92M74 46h92M74 98h92M100 6v26" stroke="var(--ink)" />
        <path d="M83 14h9m-9 5h9m-9 5h6" stroke="var(--accent)" strokeWidth="3" />
        {line(134, 16, 22)}
        {line(144, 24, 12)}
        {line(102, 39, 36, 'var(--ink)')}
        <path
          d="M90 62h56M90 73h42M90 84h50"
          stroke="var(--field)"
          strokeWidth="3"
          strokeDasharray="4 7"
        />
        <path d={BARCODE} transform="translate(97 105)" stroke="var(--ink)" strokeLinecap="butt" />
      </g>
    </Picture>
  )
}

/** A label that turns back, and its price. */
export function RefundPicture() {
  return (
    <Picture height={136}>
      <path d="M20 122h200" stroke="var(--field)" strokeDasharray="1 7" />
      <rect
        x="44"
        y="14"
        width="76"
        height="104"
        rx="6"
        fill="var(--surface)"
        stroke="var(--ink)"
      />
      <path d="M44 36h76M44 92h76M66 14v22" stroke="var(--ink)" />
      {line(92, 25, 18)}
      <path
        d="M56 52h46M56 62h34M56 72h42"
        stroke="var(--field)"
        strokeWidth="3"
        strokeDasharray="4 7"
      />
      <path d="m52 112 60-92" stroke="var(--accent)" strokeWidth="3" />
      <path
        d={BARCODE}
        transform="translate(57 98) scale(1 0.8)"
        stroke="var(--ink)"
        strokeLinecap="butt"
      />
      <path d="M132 88c14 14 32 12 40 0" stroke="var(--field)" strokeDasharray="1 5" />
      <path d="m165 90 8-4 2 9" stroke="var(--field)" />
      <circle cx="178" cy="54" r="24" fill="var(--surface)" stroke="var(--ink)" />
      <path
        d="M186 46c-2-4-13-5-14 1-1 8 14 5 13 13-1 6-12 5-14 0m7-19v28"
        stroke="var(--accent)"
        strokeWidth="3"
      />
    </Picture>
  )
}

/** A sender's address with nothing on its lines, marked with the star. */
export function AddressPicture() {
  return (
    <Picture height={112}>
      <path
        d="M46 10h152a6 6 0 0 1 6 6v80a6 6 0 0 1-6 6H46"
        fill="var(--surface)"
        stroke="var(--ink)"
      />
      <path d="M46 10v92" stroke="var(--ink)" strokeDasharray="1 6" strokeWidth="3" />
      {line(64, 30, 30, 'var(--ink)')}
      <path
        d="M64 52h92M64 67h70M64 82h82"
        stroke="var(--field)"
        strokeWidth="3"
        strokeDasharray="4 7"
      />
      <path
        d="m182 22 3.5 7 7.7 1.1-5.6 5.4 1.4 7.7-7-3.6-7 3.6 1.4-7.7-5.6-5.4 7.7-1.1Z"
        fill="var(--accent)"
      />
    </Picture>
  )
}

/** A package with the lines that measure its length, width and height. */
export function ParcelPicture() {
  return (
    <Picture height={132}>
      <path d="m120 10 54 22v56l-54 24-54-24V32Z" fill="var(--surface)" stroke="var(--ink)" />
      <path d="m66 32 54 23 54-23M120 55v57" stroke="var(--ink)" />
      <path d="m92 21 55 23v18" stroke="var(--field)" strokeWidth="3" />
      <g stroke="var(--accent)">
        <path d="M186 34v53m-4-49 4-4 4 4m-8 45 4 4 4-4" />
        <path d="m70 100 44 19m-45-14 1-5 5 .4m34 14 5 4.6-5.4 1" />
        <path d="m170 100-44 19m45-14-1-5-5 .4m-34 14-5 4.6 5.4 1" />
      </g>
      {line(198, 60, 12)}
      {line(76, 121, 12)}
      {line(152, 121, 12)}
    </Picture>
  )
}

/** Two bulk orders as the list shows them: name, share of bought labels, files. */
export function BatchPicture() {
  return (
    <Picture height={112}>
      {[8, 60].map((y, index) => (
        <g key={y} transform={`translate(0 ${y})`}>
          <rect
            x="10"
            width="220"
            height="44"
            rx="6"
            fill="var(--surface)"
            stroke={index === 0 ? 'var(--ink)' : 'var(--field)'}
            strokeDasharray={index === 0 ? undefined : '4 6'}
          />
          {line(24, 16, index === 0 ? 46 : 34, index === 0 ? 'var(--ink)' : 'var(--field)')}
          {line(24, 28, 26)}
          <path d="M92 22h70" stroke="var(--line)" strokeWidth="5" />
          <path
            d={`M92 22h${index === 0 ? 70 : 28}`}
            stroke={index === 0 ? 'var(--green)' : 'var(--field)'}
            strokeWidth="5"
          />
          <path
            d="M188 14v12m-6-5 6 6 6-6m-15 11h18"
            stroke={index === 0 ? 'var(--accent)' : 'var(--field)'}
            strokeWidth="3"
          />
        </g>
      ))}
    </Picture>
  )
}

/** A form with one barcode for the parcels on its lines. */
export function ScanFormPicture() {
  return (
    <Picture height={132}>
      <path d="M20 122h200" stroke="var(--field)" strokeDasharray="1 7" />
      <ScanForm />
    </Picture>
  )
}

/** The form alone, beside the parcels that it will list. */
export const SmallScanForm = () => (
  <svg
    viewBox="74 6 92 118"
    width={56}
    height={72}
    fill="none"
    strokeWidth="2"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    <ScanForm />
  </svg>
)

function ScanForm() {
  return (
    <>
      <path
        d="M76 8h72l16 16v92a6 6 0 0 1-6 6H82a6 6 0 0 1-6-6Z"
        fill="var(--surface)"
        stroke="var(--ink)"
      />
      <path d="M148 8v16h16" stroke="var(--ink)" />
      {line(88, 24, 34, 'var(--ink)')}
      <path d={BARCODE} transform="translate(88 36)" stroke="var(--ink)" strokeLinecap="butt" />
      {[72, 88, 104].map((y, index) => (
        <g key={y}>
          <path d={`m88 ${y} 4 4 7-8`} stroke="var(--accent)" strokeWidth="3" />
          {line(110, y, index === 1 ? 28 : 42)}
        </g>
      ))}
    </>
  )
}

/** An invoice, its payment, the balance. */
export function PaymentPicture() {
  return (
    <Picture height={112}>
      <g transform="translate(0 18)">
        <path d="M68 38h20M152 38h12" stroke="var(--field)" strokeDasharray="1 7" />
        <path
          d="M20 12h30l10 10v42l-7-4-7 4-6-4-7 4-6-4-7 4Z"
          fill="var(--surface)"
          stroke="var(--ink)"
        />
        {line(28, 28, 14)}
        {line(28, 38, 24)}
        {line(28, 48, 18)}
        <circle cx="120" cy="38" r="24" fill="var(--surface)" stroke="var(--ink)" />
        <circle cx="120" cy="38" r="17" stroke="var(--field)" strokeDasharray="1 5" />
        <path d="m111 38 6 7 12-14" stroke="var(--accent)" strokeWidth="3" />
        <rect
          x="170"
          y="18"
          width="60"
          height="44"
          rx="6"
          fill="var(--surface)"
          stroke="var(--ink)"
        />
        <path d="M170 30h60M216 44h14" stroke="var(--ink)" />
        <circle cx="217" cy="46" r="3" fill="var(--accent)" />
        {line(180, 46, 18)}
      </g>
    </Picture>
  )
}
