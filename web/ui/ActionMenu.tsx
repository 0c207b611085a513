/** What else can be done with a thing: a button with dots that opens a list. What cannot be done now stays there and says why. */
import { Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'
import { Link } from 'react-router'
import { IconButton } from './Button.tsx'
import styles from './ActionMenu.module.css'

/** How every menu looks. */
export const MENU_CLASS_NAMES = {
  dropdown: styles.dropdown,
  item: styles.item,
  divider: styles.rule,
}

export type MenuAction = {
  text: string
  icon: Icon
  /** Why it cannot be done now. */
  disabledReason?: string | null
  danger?: boolean
  /** A rule stands before it. */
  dividerBefore?: boolean
} & ({ to: string } | { onClick: () => void })

/** `name` says whose actions they are; `id` is the button's, for whoever gives the focus back after a dialog. */
export function ActionMenu({
  name,
  actions,
  id,
}: {
  name: string
  actions: MenuAction[]
  id?: string
}) {
  return (
    // In the page's main part, which is where its things are looked for, but out of lists that scroll.
    <Menu
      id={id}
      portalProps={{ target: 'main' }}
      position="bottom-end"
      withInitialFocusPlaceholder={false}
      transitionProps={{ duration: 120 }}
      classNames={MENU_CLASS_NAMES}
    >
      <Menu.Target>
        <IconButton name={name} tooltip={false}>
          <IconDots aria-hidden="true" />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown aria-label={name}>
        {actions.map(action => (
          <ActionMenuItem key={action.text} {...action} />
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function ActionMenuItem({
  text,
  icon: Icon,
  disabledReason,
  danger,
  dividerBefore,
  ...act
}: MenuAction) {
  const look = { leftSection: <Icon aria-hidden="true" />, 'data-danger': danger || undefined }
  const why = disabledReason && <span className={styles.why}>{disabledReason}</span>
  return (
    <>
      {dividerBefore && <Menu.Divider />}
      {why ? (
        <Menu.Item {...look} aria-disabled closeMenuOnClick={false}>
          {text}
          {why}
        </Menu.Item>
      ) : 'to' in act ? (
        <Menu.Item {...look} component={Link} to={act.to}>
          {text}
        </Menu.Item>
      ) : (
        <Menu.Item {...look} onClick={act.onClick}>
          {text}
        </Menu.Item>
      )}
    </>
  )
}
