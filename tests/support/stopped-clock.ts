/** For limits by the minute and codes of half a minute: a slow test must find the same as a fast one. */
import { vi } from 'vitest'

/** Date.now() stands still in this process until the returned function is called. Databases keep clocks of their own. */
export function stopClock(): () => void {
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now())
  return () => clock.mockRestore()
}
