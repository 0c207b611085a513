/**
 * Edits one user: Edit, Save, confirmation, then the calls, and a notice if not all of them
 * succeed.
 */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listBalanceRequests, setUserDetails, setUserRole } from '#contract/accounts.ts'
import type { AdminUser } from '#contract/accounts.ts'
import { usdFromDollars } from '#contract/money.ts'
import { queryClient } from '#web/client/query-client.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { ApiError, fieldErrorsOf, send, sendForStatus } from '#web/client/send.ts'
import { refreshUser, useUser } from '#web/client/session.ts'
import { useFormDraft } from '#web/client/use-form-draft.ts'
import { notifyPage, toastError, toastSuccess } from '#web/ui/toasts.ts'
import { useRowEdit } from '#web/ui/use-row-edit.ts'
import { useUnsavedChangesGuard } from '#web/ui/use-unsaved-changes-guard.ts'
import { texts } from './texts.ts'
import { fetchUser, reloadUsers } from './use-users.ts'
import {
  userChangesFrom,
  userDraftErrors,
  toUserDraft,
  isUserDraftChanged,
  untouchedValues,
} from './user-changes.ts'
import type { UserChanges, UserDraft, UserFieldName } from './user-changes.ts'

const EMPTY_USER_DRAFT: UserDraft = { user_role: 'user', balance: '', referralCode: '', reason: '' }

/** Role and details are separate calls, so the notice can say which of them was saved. */
async function saveRole(userId: string, { role }: UserChanges): Promise<boolean> {
  if (role) await send(setUserRole, { params: { userId }, body: { user_role: role } })
  return role !== undefined
}

/** The server's message when the balance waits for a second administrator, else null. */
async function saveDetails(
  userId: string,
  { balance, referralCode }: UserChanges,
): Promise<string | null> {
  if (!balance && referralCode === undefined) return null
  const money = balance
    ? { balance: balance.next, seenBalance: balance.seen, reason: balance.reason }
    : {}
  const { answer, status } = await sendForStatus(setUserDetails, {
    params: { userId },
    body: { ...money, ...(referralCode === undefined ? {} : { referralCode }) },
  })
  return status === 202 ? answer.message : null
}

/** A 409 without field errors: the balance has changed since the row was loaded. */
const isBalanceConflict = (reason: unknown, changes: UserChanges): boolean =>
  reason instanceof ApiError
  && reason.status === 409
  && changes.balance !== undefined
  && Object.keys(fieldErrorsOf(reason)).length === 0

export function useUserEdit() {
  const { _id: adminId } = useUser()
  /** The user when editing began, or as reloaded after a failure. Changes are relative to this. */
  const [base, setBase] = useState<AdminUser | null>(null)
  const [changesToConfirm, setChangesToConfirm] = useState<UserChanges | null>(null)
  const [notice, setNotice] = useState<string | null>(null)
  const { data: waiting } = useQuery({
    queryKey: queryKeys.balanceRequests(adminId),
    queryFn: ({ signal }) => send(listBalanceRequests, {}, { signal }),
    enabled: base !== null,
  })
  const row = useRowEdit('user', () => {
    setNotice(null)
    setBase(null)
  })
  const draft = useFormDraft<UserFieldName>({
    initialValues: () => EMPTY_USER_DRAFT,
    check: form => (base ? userDraftErrors(form, base) : {}),
    fallbackMessage: texts.edit.failed,
  })

  const open = (user: AdminUser) => {
    setBase(user)
    setNotice(null)
    draft.reset(toUserDraft(user))
    row.begin(user._id)
  }
  const guard = useUnsavedChangesGuard(
    base !== null && isUserDraftChanged(draft.form, base),
    row.stop,
  )
  const begin = (user: AdminUser) => guard.leaveOrAsk(() => open(user))
  const stop = () => guard.leaveOrAsk(row.stop)
  const refresh = () => reloadUsers(adminId).catch(() => toastError(texts.failed.refresh))

  /** Shows field errors, or opens the confirmation. */
  const save = async () => {
    if (!base) return
    setNotice(null)
    const valid = await draft.submit(
      async form => {
        const changes = userChangesFrom(form, base)
        if (Object.keys(changes).length === 0) return row.stop()
        setChangesToConfirm(changes)
      },
      () => {},
    )
    if (!valid) row.focusFirstInvalid()
  }

  /** Saves the confirmed changes. Never throws. */
  const confirm = async () => {
    if (!base || !changesToConfirm) return
    let roleSaved = false
    let waiting: string | null = null
    let reason: unknown = null
    const done = await draft.submit(
      async () => {
        try {
          roleSaved = await saveRole(base._id, changesToConfirm)
          waiting = await saveDetails(base._id, changesToConfirm)
        } catch (failure) {
          reason = failure
          throw failure
        }
      },
      () => {},
    )
    setChangesToConfirm(null)
    if (base._id === adminId) await refreshUser()
    if (done) {
      if (waiting === null) toastSuccess(texts.edit.done)
      else notifyPage('yellow', waiting)
      // A change that is booked takes the place of one that waited.
      void queryClient.invalidateQueries({ queryKey: queryKeys.balanceRequests(adminId) })
      row.stop()
      return refresh()
    }
    toastError(texts.edit.failed)
    await rebase(base, roleSaved, isBalanceConflict(reason, changesToConfirm))
    row.focusFirstInvalid()
  }

  /** After a failure: reloads the user as the new base, and says what was saved. */
  const rebase = async (old: AdminUser, roleSaved: boolean, moved: boolean) => {
    const [now] = await Promise.all([fetchUser(old._id).catch(() => null), refresh()])
    if (!row.isCurrent()) return
    if (now) {
      setBase(now)
      draft.renew(form => untouchedValues(form, old, now))
      // Also a balance that was typed: it was meant for the old one.
      if (moved) draft.bind('balance').onText(toUserDraft(now).balance)
    }
    const { partly, nothing, moved: hasMoved } = texts.edit
    const savedText = roleSaved ? partly(texts.edit.role) : moved ? nothing : null
    const movedText =
      now && moved ? hasMoved(usdFromDollars(now.balance), usdFromDollars(old.balance)) : null
    setNotice([savedText, movedText].filter(part => part !== null).join(' ') || null)
  }

  return {
    row,
    base,
    changesToConfirm,
    /** An adjustment of this user that waits for a second administrator. */
    balanceRequest: waiting?.requests.find(({ user }) => user._id === base?._id) ?? null,
    notice,
    draft,
    guard,
    begin,
    stop,
    save,
    confirm,
    cancelConfirm: () => setChangesToConfirm(null),
  }
}

export type UserEdit = ReturnType<typeof useUserEdit>
