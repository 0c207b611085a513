/** For what counts in minutes or half minutes: a test that takes longer than these finds the same as one that takes no time. */
import { vi } from 'vitest'

/** Date.now() stands still in this process until the returned function is called. Databases keep clocks of their own. */
export function stopClock(): () => void {
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now())
  return () => clock.mockRestore()
}
