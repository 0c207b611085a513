/** A button with dots that opens a menu of actions. An action that is impossible now stays in the menu and says why. */
import { Menu } from '@mantine/core'
import type { MenuProps } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'
import type { ReactElement } from 'react'
import { Link } from 'react-router'
import { IconButton } from './Button.tsx'
import styles from './ActionMenu.module.css'

export const MENU_CLASS_NAMES = {
  dropdown: styles.dropdown,
  item: styles.item,
  divider: styles.rule,
}

/** px */
const LEAST_MENU_HEIGHT = 160

/** A menu that has no room above or below scrolls, so that its last entry can be reached. */
export const MENU_MIDDLEWARES: MenuProps['middlewares'] = {
  flip: true,
  shift: true,
  size: {
    padding: 8,
    apply: ({ availableHeight, elements }) => {
      elements.floating.style.maxHeight = `${Math.max(LEAST_MENU_HEIGHT, availableHeight)}px`
    },
  },
}

export type MenuAction = {
  text: string
  icon: Icon
  /** Why the action is impossible now. */
  disabledReason?: string | null
  danger?: boolean
  /** Draws a rule above it. */
  dividerBefore?: boolean
} & (
  | { to: string; state?: unknown }
  /** A file; it opens in a new tab. */
  | { href: string }
  | { onClick: () => void }
)

/** `id` is the button's, so that a page can return the focus to it after a dialog. */
export function ActionMenu({
  name,
  actions,
  id,
  opener,
}: {
  name: string
  actions: MenuAction[]
  id?: string
  /** A button with a text in place of the dots. */
  opener?: ReactElement
}) {
  return (
    // Inside <main>, so that it belongs to the page's landmark, but outside of lists that scroll.
    <Menu
      id={id}
      portalProps={{ target: 'main' }}
      position="bottom-end"
      withInitialFocusPlaceholder={false}
      transitionProps={{ duration: 120 }}
      classNames={MENU_CLASS_NAMES}
      middlewares={MENU_MIDDLEWARES}
    >
      <Menu.Target>
        {opener ?? (
          <IconButton name={name} tooltip={false}>
            <IconDots aria-hidden="true" />
          </IconButton>
        )}
      </Menu.Target>
      <Menu.Dropdown aria-label={name}>
        {actions.map(action => (
          <ActionMenuItem key={action.text} {...action} />
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

export function ActionMenuItem({
  text,
  icon: Icon,
  disabledReason,
  danger,
  dividerBefore,
  ...target
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
      ) : 'to' in target ? (
        <Menu.Item {...look} component={Link} to={target.to} state={target.state}>
          {text}
        </Menu.Item>
      ) : 'href' in target ? (
        <Menu.Item {...look} component="a" href={target.href} target="_blank" rel="noopener">
          {text}
        </Menu.Item>
      ) : (
        <Menu.Item {...look} onClick={target.onClick}>
          {text}
        </Menu.Item>
      )}
    </>
  )
}
