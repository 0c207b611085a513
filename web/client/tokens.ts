/** Tokens in localStorage, shared by all tabs. Where storage is closed, as in private windows, they last as long as the page. */

/** `own`: the session in use; landing/main.ts reads this key too. `admin`: the session of an impersonating administrator. */
const STORAGE_KEYS = { own: 'evenpost.token', admin: 'evenpost.admin-token' } as const
type TokenKind = keyof typeof STORAGE_KEYS

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
    // Stored in memory only.
  }
}

/** Calls `changed` when another tab has written the `own` token. */
export function onTokenChangedInOtherTab(changed: (token: string | null) => void): void {
  if (typeof window === 'undefined') return
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === STORAGE_KEYS.own) changed(newValue)
  })
}
