/** The list of users. Filters and sort order are in the URL; the server pages the list. */
import { listUsers, ROLES, USER_SORTS, USER_STATUSES } from '#contract/accounts.ts'
import type { AdminUser, UserSort } from '#contract/accounts.ts'
import { queryClient } from '#web/client/query-client.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send, sendList } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { useServerList } from '#web/client/use-server-list.ts'
import type { Sorting } from '#web/ui/HeadCell.tsx'
import { useUrlFilters } from '#web/ui/use-url-filters.ts'
import { texts } from './texts.ts'

const PAGE_SIZE = 7
const USER_FILTER_FIELDS = ['search', 'role', 'status'] as const

const oneOf = <Value extends string>(words: readonly Value[], text: string): Value | undefined =>
  words.find(word => word === text)

export function useUsers() {
  const { _id: adminId } = useUser()
  const { values, setFilters, isFiltered, clear } = useUrlFilters(USER_FILTER_FIELDS)
  const sorted = useUrlFilters(['sort', 'order'])
  const by: UserSort = oneOf(USER_SORTS, sorted.values.sort) ?? 'createdAt'
  const order = oneOf(['asc', 'desc'] as const, sorted.values.order) ?? 'desc'
  const filter = {
    sort: by,
    order,
    search: values.search || undefined,
    user_role: oneOf(ROLES, values.role),
    activation: oneOf(USER_STATUSES, values.status),
  }
  const list = useServerList<AdminUser>({
    size: PAGE_SIZE,
    errorToast: texts.failed.load,
    queryKey: page => queryKeys.usersPage(adminId, page, filter),
    load: (page, signal) =>
      sendList(listUsers, { query: { ...filter, page, limit: PAGE_SIZE } }, { signal }),
  })
  const sorting: Sorting = {
    by,
    order,
    onSort: (next, direction) => sorted.setFilters({ sort: next, order: direction }),
  }
  return { ...list, values, setFilters, narrowed: isFiltered, clear, sorting }
}

/** Throws if the list can't be loaded. */
export const reloadUsers = (adminId: string): Promise<void> =>
  queryClient.refetchQueries(
    { queryKey: queryKeys.userPages(adminId), type: 'active' },
    { throwOnError: true },
  )

/** A deleted one too. Null if no user has this id. */
export async function fetchUser(userId: string, signal?: AbortSignal): Promise<AdminUser | null> {
  for (const activation of [undefined, 'deleted'] as const) {
    const query = { search: userId, limit: 50, activation }
    const found = await send(listUsers, { query }, { signal })
    const user = found.find(({ _id }) => _id === userId)
    if (user) return user
  }
  return null
}
