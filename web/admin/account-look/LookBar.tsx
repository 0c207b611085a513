import { IconLogin2 } from '@tabler/icons-react'
import { useState } from 'react'
import { NavLink } from 'react-router'
import type { AdminUser } from '#contract/accounts.ts'
import { LogInAsDialog } from '#web/accounts/admin/users/LogInAsDialog.tsx'
import { texts as userTexts } from '#web/accounts/admin/users/texts.ts'
import { noLogInReason } from '#web/accounts/admin/users/UserActions.tsx'
import { useUser } from '#web/client/session.ts'
import { Button } from '#web/ui/Button.tsx'
import { fadeAtEdges } from '#web/ui/fade-at-edges.ts'
import { StatusPill } from '#web/ui/StatusPill.tsx'
import { DateTime } from '#web/ui/Value.tsx'
import { LOOK_PARTS, lookPath } from './parts.ts'
import type { LookPart } from './parts.ts'
import { texts } from './texts.ts'
import styles from './AccountLook.module.css'

/** On a phone the chosen part may be outside of the row. */
const intoView = (link: HTMLAnchorElement | null): void =>
  link?.scrollIntoView({ block: 'nearest', inline: 'center' })

/** Whose account this is, the way to more, and the parts of the account. Stays in view. */
export function LookBar({ user, part }: { user: AdminUser; part: LookPart }) {
  const { _id: ownId } = useUser()
  const [loggingIn, setLoggingIn] = useState(false)
  return (
    <section className={styles.bar} aria-labelledby="looking-at">
      <div className={styles.who}>
        <div className={styles.words}>
          <h2 id="looking-at" className={styles.title}>
            {texts.title(user.name)}
          </h2>
          <p className={styles.text}>
            <StatusPill tone="yellow">{texts.viewOnly}</StatusPill> <span>{user.email}</span>{' '}
            <span className={styles.audited}>{texts.audited}</span>
          </p>
        </div>
        <UserFacts user={user} />
        <Button
          size="small"
          icon={<IconLogin2 aria-hidden="true" />}
          disabledReason={noLogInReason(user, user._id === ownId)}
          onClick={() => setLoggingIn(true)}
        >
          {userTexts.menu.logIn}
        </Button>
      </div>
      <nav ref={fadeAtEdges} className={styles.parts} aria-label={texts.parts}>
        {LOOK_PARTS.map(each => (
          <NavLink
            key={each}
            to={lookPath(user._id, each)}
            end
            ref={each === part ? intoView : undefined}
            className={styles.part}
            data-chosen={each === part || undefined}
          >
            {texts.part[each]}
          </NavLink>
        ))}
      </nav>
      {loggingIn && <LogInAsDialog user={user} onClose={() => setLoggingIn(false)} />}
    </section>
  )
}

/** Who it is, in the words of the list of users. */
function UserFacts({ user }: { user: AdminUser }) {
  const { user_role: role, activation, invited, createdAt, referralCode } = user
  const facts = [
    { name: texts.role, value: userTexts.roles[role] },
    {
      name: texts.status,
      value:
        activation === 'block' ? (
          <StatusPill tone="red">{userTexts.status.block}</StatusPill>
        ) : invited ? (
          userTexts.invited
        ) : (
          userTexts.status.allow
        ),
    },
    { name: texts.joined, value: <DateTime at={createdAt} day /> },
    { name: texts.code, value: <code className={styles.code}>{referralCode}</code> },
  ]
  return (
    <dl className={styles.facts}>
      {facts.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
