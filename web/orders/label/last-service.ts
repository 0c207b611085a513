/** The service of the last label that the user bought in this browser. */

const storageKey = (userId: string): string => `evenpost.last-service.${userId}`

export function getLastService(userId: string): string | null {
  try {
    return localStorage.getItem(storageKey(userId))
  } catch {
    return null
  }
}

export function saveLastService(userId: string, uid: string): void {
  try {
    localStorage.setItem(storageKey(userId), uid)
  } catch {
    // Private windows may have no storage.
  }
}
