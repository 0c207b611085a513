/** Sentences for those who listen: progress, sorting, the number of rows found. */
import { create } from 'zustand'

const useAnnouncement = create<{ text: string; turn: number }>(() => ({ text: '', turn: 0 }))

/** Says `text` politely to screen readers; nothing is drawn. Saying the same twice is heard twice. */
export const announce = (text: string): void =>
  useAnnouncement.setState(({ turn }) => ({ text, turn: turn + 1 }))

/** Mounted once by the app. */
export function Announcer() {
  const { text, turn } = useAnnouncement()
  return (
    <div className="visually-hidden" role="status" aria-live="polite">
      <span key={turn}>{text}</span>
    </div>
  )
}
