import { IconPencil } from '@tabler/icons-react'
import { useEffect, useId, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { ActionMenu } from '#web/ui/ActionMenu.tsx'
import type { MenuAction } from '#web/ui/ActionMenu.tsx'
import { ServiceNameForm } from './ServiceNameForm.tsx'
import { texts } from './texts.ts'
import styles from './Services.module.css'

type ServiceHeadProps = {
  /** Id of the heading, which names the card. */
  id: string
  name: string
  /** Below the name. */
  facts: ReactNode
  /** What can be done beside renaming. */
  actions: MenuAction[]
  onRename: (name: string) => Promise<void>
}

/** The head of a service's card: its name, what it is, and the menu. Renaming replaces it by a field. */
export function ServiceHead({ id, name, facts, actions, onRename }: ServiceHeadProps) {
  const [editing, setEditing] = useState(false)
  const menuId = useId()
  const edited = useRef(false)
  // The menu has the focus again after the field.
  useEffect(() => {
    if (!editing && edited.current) document.getElementById(menuId)?.focus()
    edited.current = editing
  }, [editing, menuId])
  return (
    <>
      <div className={styles.head} hidden={editing}>
        <div>
          <h3 id={id} className={styles.name}>
            {name}
          </h3>
          <p className={styles.facts}>{facts}</p>
        </div>
        <ActionMenu
          id={menuId}
          name={texts.card.moreActions(name)}
          actions={[
            ...actions,
            { text: texts.card.editName, icon: IconPencil, onClick: () => setEditing(true) },
          ]}
        />
      </div>
      {editing && (
        <ServiceNameForm name={name} onRename={onRename} onClose={() => setEditing(false)} />
      )}
    </>
  )
}
