import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'

export type MailedToken = { token: string; invited: boolean }

/** Links of earlier versions have the token in the query. */
function tokenOfLink({ hash, search }: { hash: string; search: string }): MailedToken {
  const values = new URLSearchParams(hash.slice(1))
  const token = values.get('token') ?? new URLSearchParams(search).get('token') ?? ''
  return { token, invited: values.has('invited') }
}

/**
 * The token of the mailed link that leads here; '' without one. It leaves the address at once and
 * stays in the state of this entry of the history, so that the page can be reloaded. `invited`: the
 * link is an invitation. A link that is opened in the same tab changes it without a reload: give what belongs to one link
 * the token as its key.
 */
export function useMailedToken(): MailedToken {
  const location = useLocation()
  const navigate = useNavigate()
  const { token, invited } = tokenOfLink(location)
  useEffect(() => {
    if (token) void navigate(location.pathname, { replace: true, state: { token, invited } })
  }, [token, invited, location.pathname, navigate])
  if (token) return { token, invited }
  const kept = location.state as Partial<MailedToken> | null
  return { token: kept?.token ?? '', invited: kept?.invited ?? false }
}
