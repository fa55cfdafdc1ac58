import { ActionIcon, Button } from '@mantine/core'
import { IconPencil, IconPlus } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { isFocusLost } from '../focus/lost-focus.ts'
import classes from './inline-editor.module.css'

type InPlaceProps = {
  /** Of the field: "City". */
  label: string
  canEdit: boolean
  /** Adds a value: a button with text instead of the pencil. */
  isNew?: boolean
  /** Buttons beside the value. */
  tools?: ReactNode
  editor: (close: () => void) => ReactNode
  children?: ReactNode
}

/** A value with a button that opens its editor in the same place. When the editor closes, the focus returns to the button. */
export function InPlace({ label, canEdit, isNew = false, tools, editor, children }: InPlaceProps) {
  const [isEdited, setEdited] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const wasEdited = useRef(false)
  useEffect(() => {
    if (!isEdited && wasEdited.current && isFocusLost()) button.current?.focus()
    wasEdited.current = isEdited
  }, [isEdited])
  if (isEdited) return editor(() => setEdited(false))
  const open = () => setEdited(true)
  if (isNew)
    return (
      <Button
        ref={button}
        variant="subtle"
        size="compact-xs"
        className={classes.add}
        leftSection={<IconPlus size={14} />}
        onClick={open}
      >
        Add {label.toLowerCase()}
      </Button>
    )
  return (
    <>
      {children}
      <span className={classes.tools}>
        {tools}
        {canEdit && (
          <ActionIcon ref={button} size={24} aria-label={`Edit ${label.toLowerCase()}`} onClick={open}>
            <IconPencil size={14} aria-hidden />
          </ActionIcon>
        )}
      </span>
    </>
  )
}
