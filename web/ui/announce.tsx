/** Announcements for screen readers. */
import { create } from 'zustand'

const useAnnouncement = create<{ text: string; turn: number }>(() => ({ text: '', turn: 0 }))

/** A repeated text is announced again. */
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
