/** Tokens in localStorage, shared by all tabs. Where storage is closed, as in private windows, or full, they last as long as the page. */

/** `own`: the session in use; landing/main.ts reads this key too. `admin`: the session of an impersonating administrator. */
const STORAGE_KEYS = { own: 'evenpost.token', admin: 'evenpost.admin-token' } as const
type TokenKind = keyof typeof STORAGE_KEYS

/** Those that could not be stored. */
const inMemoryTokens: Record<TokenKind, string | null> = { own: null, admin: null }

export function readToken(kind: TokenKind): string | null {
  try {
    return inMemoryTokens[kind] ?? localStorage.getItem(STORAGE_KEYS[kind])
  } catch {
    return inMemoryTokens[kind]
  }
}

export function writeToken(kind: TokenKind, token: string | null): void {
  inMemoryTokens[kind] = null
  try {
    if (token) localStorage.setItem(STORAGE_KEYS[kind], token)
    else localStorage.removeItem(STORAGE_KEYS[kind])
  } catch {
    inMemoryTokens[kind] = token
  }
}

/** Calls `changed` when another tab has written the `own` token, and when Back shows this page again, which was told nothing. */
export function onTokenChangedElsewhere(changed: (token: string | null) => void): void {
  if (typeof window === 'undefined') return
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key !== STORAGE_KEYS.own) return
    inMemoryTokens.own = null
    changed(newValue)
  })
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) changed(readToken('own'))
  })
}
