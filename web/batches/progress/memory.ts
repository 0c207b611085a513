/** What a reload must find again: which order was followed, since when, and whether as the small card. One entry a user, in this tab. */

export type Remembered = {
  orderId: string
  startTime: number | null
  elapsedTime: number
  isMinimized: boolean
}

const nameOf = (userId: string): string => `evenpost.progress.${userId}`

/** Storage may be closed, as in private windows; then a reload asks the server what runs, and nothing else is lost. */
function tolerant<T>(act: () => T): T | null {
  try {
    return act()
  } catch {
    return null
  }
}

export function remember(
  userId: string,
  { orderId, startTime, elapsedTime, isMinimized }: Remembered,
): void {
  tolerant(() =>
    sessionStorage.setItem(
      nameOf(userId),
      JSON.stringify({ orderId, startTime, elapsedTime, isMinimized }),
    ),
  )
}

export const forget = (userId: string): void =>
  void tolerant(() => sessionStorage.removeItem(nameOf(userId)))

/** Null when nothing usable is remembered. */
export function recall(userId: string): Remembered | null {
  const found = tolerant(
    () =>
      JSON.parse(sessionStorage.getItem(nameOf(userId)) ?? 'null') as Partial<Remembered> | null,
  )
  if (!found || typeof found.orderId !== 'string') return null
  return {
    orderId: found.orderId,
    startTime: typeof found.startTime === 'number' ? found.startTime : null,
    elapsedTime: typeof found.elapsedTime === 'number' ? found.elapsedTime : 0,
    isMinimized: found.isMinimized === true,
  }
}
