/**
 * What a reload restores: the followed order, its start, and whether it is minimized. One entry per
 * user in this tab.
 */

export type SavedProgress = {
  orderId: string
  startTime: number | null
  elapsedTime: number
  isMinimized: boolean
}

const progressStorageKey = (userId: string): string => `evenpost.progress.${userId}`

/**
 * Storage may be unavailable (private windows). Then a reload finds the running order through the
 * server.
 */
function tryStorage<T>(access: () => T): T | null {
  try {
    return access()
  } catch {
    return null
  }
}

export function saveProgress(
  userId: string,
  { orderId, startTime, elapsedTime, isMinimized }: SavedProgress,
): void {
  tryStorage(() =>
    sessionStorage.setItem(
      progressStorageKey(userId),
      JSON.stringify({ orderId, startTime, elapsedTime, isMinimized }),
    ),
  )
}

export const clearSavedProgress = (userId: string): void =>
  void tryStorage(() => sessionStorage.removeItem(progressStorageKey(userId)))

export function loadSavedProgress(userId: string): SavedProgress | null {
  const found = tryStorage(
    () =>
      JSON.parse(
        sessionStorage.getItem(progressStorageKey(userId)) ?? 'null',
      ) as Partial<SavedProgress> | null,
  )
  if (!found || typeof found.orderId !== 'string') return null
  return {
    orderId: found.orderId,
    startTime: typeof found.startTime === 'number' ? found.startTime : null,
    elapsedTime: typeof found.elapsedTime === 'number' ? found.elapsedTime : 0,
    isMinimized: found.isMinimized === true,
  }
}
