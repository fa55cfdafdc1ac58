import { ActionIcon, Button } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPencil, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Name } from '../../../ui/text/name.tsx'
import classes from '../scoring.module.css'

type Props = {
  /** 'rule' or 'requirement'. */
  noun: string
  sentence: string
  /** Errors of the part, shown while its fields are closed. */
  problems: readonly string[]
  isOpen: boolean
  toggle: (isOpen: boolean) => void
  /** null for the first part (`moveUp`) or the last one (`moveDown`). */
  moveUp: (() => void) | null
  moveDown: (() => void) | null
  remove: () => void
  children: ReactNode
}

/** A rule or requirement as a sentence. Its fields open in place. */
export function PartRow({ noun, sentence, problems, isOpen, toggle, moveUp, moveDown, remove, children }: Props) {
  const fields = useRef<HTMLDivElement>(null)
  const edit = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  useEffect(() => {
    if (isOpen && !wasOpen.current) fields.current?.querySelector<HTMLElement>('[data-first-field]')?.focus()
    if (!isOpen && wasOpen.current && fields.current?.contains(document.activeElement) !== false) edit.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  return (
    <li>
      <div className={classes.line}>
        <span>
          <Name of={sentence} />
        </span>
        <span className={classes.tools}>
          <ActionIcon
            ref={edit}
            variant="subtle"
            aria-label={`Edit ${noun}: ${sentence}`}
            aria-expanded={isOpen}
            onClick={() => toggle(!isOpen)}
          >
            <IconPencil size={16} stroke={1.7} aria-hidden />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            aria-label={`Move up: ${sentence}`}
            disabled={moveUp === null}
            onClick={() => moveUp?.()}
          >
            <IconArrowUp size={16} stroke={1.7} aria-hidden />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            aria-label={`Move down: ${sentence}`}
            disabled={moveDown === null}
            onClick={() => moveDown?.()}
          >
            <IconArrowDown size={16} stroke={1.7} aria-hidden />
          </ActionIcon>
          <ActionIcon variant="subtle" aria-label={`Remove ${noun}: ${sentence}`} onClick={remove}>
            <IconTrash size={16} stroke={1.7} aria-hidden />
          </ActionIcon>
        </span>
      </div>
      {!isOpen && problems.length > 0 && <p className="pp-refusal">{problems.join(' ')}</p>}
      {isOpen && (
        <div ref={fields}>
          <div className={classes.fields}>{children}</div>
          <Button variant="default" size="compact-sm" mt="sm" onClick={() => toggle(false)}>
            Done
          </Button>
        </div>
      )}
    </li>
  )
}
