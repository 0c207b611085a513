/**
 * The tokens that this browser remembers, for all its tabs and over a reload. Where storage is closed, as in private windows, they
 * last as long as the page.
 */

/** `own`: of the sign-in in use; landing/main.ts knows the name too. `admin`: of the administrator who is signed in as somebody else. */
const STORAGE_KEYS = { own: 'evenpost.token', admin: 'evenpost.admin-token' } as const
export type TokenKind = keyof typeof STORAGE_KEYS

const inMemoryTokens: Record<TokenKind, string | null> = { own: null, admin: null }

export function readToken(kind: TokenKind): string | null {
  try {
    return localStorage.getItem(STORAGE_KEYS[kind])
  } catch {
    return inMemoryTokens[kind]
  }
}

export function writeToken(kind: TokenKind, token: string | null): void {
  inMemoryTokens[kind] = token
  try {
    if (token) localStorage.setItem(STORAGE_KEYS[kind], token)
    else localStorage.removeItem(STORAGE_KEYS[kind])
  } catch {
    // Kept for this page alone.
  }
}

/** Calls `changed` when another tab has written the token in use. */
export function onTokenChangedInOtherTab(changed: (token: string | null) => void): void {
  if (typeof window === 'undefined') return
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === STORAGE_KEYS.own) changed(newValue)
  })
}
