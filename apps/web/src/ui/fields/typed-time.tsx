import { ActionIcon, TextInput, type TextInputProps } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { type FocusEvent, useState } from 'react'
import { serverNow } from '../api/server-clock.ts'
import { useSession } from '../api/session.ts'
import { useOpener } from '../layout/floating.tsx'
import { lazyPart } from '../lazy/lazy-part.tsx'
import { notADay, notATime, notAWhen } from '../text/day.ts'
import { dayIn } from '../text/format.ts'
import { readTyped, type TypedKind } from '../text/typed-day.ts'

const CalendarPanel = lazyPart('calendar', async () => {
  const { CalendarPanel, loadStyles } = await import('./calendar-panel.tsx')
  await loadStyles()
  return CalendarPanel
})

const placeholders = { day: 'yyyy-mm-dd', time: 'yyyy-mm-dd hh:mm', dayOrTime: 'yyyy-mm-dd or yyyy-mm-dd hh:mm' }
const wordsAgainst = { day: notADay, time: notATime, dayOrTime: notAWhen }

type Props = Omit<TextInputProps, 'value' | 'onChange' | 'defaultValue'> & {
  of: TypedKind
  label: string
  value?: string
  /**
   * `text` is '2026-11-27' or '2026-11-27 14:30' if the input could be read, otherwise the input itself. `typed` is the raw input; undefined if the
   * value was picked.
   */
  onChange: (text: string, typed?: string) => void
}

/**
 * Input of a day, or of a day and time: typed in the forms that `text/typed-day.ts` reads, or picked in a calendar. While the user types, the field
 * shows the typed text, and the form already has the parsed value. Unreadable text stays in the field, with the error beside it.
 */
export function TypedTime({ of, label, value = '', onChange, error, onFocus, onBlur, readOnly, ...props }: Props) {
  const { tenant } = useSession()
  const [typed, setTyped] = useState<string | null>(null)
  const [isLeft, setLeft] = useState(false)
  const { button, floating } = useOpener('dialog')
  const context = { today: dayIn(serverNow().toISOString(), tenant.timeZone), locale: tenant.locale }
  const read = (text: string) => readTyped(text, of, context) ?? text
  const isUnread = value.trim() !== '' && readTyped(value, of, context) === null
  return (
    <>
      <TextInput
        label={label}
        placeholder={placeholders[of]}
        autoComplete="off"
        maxLength={30}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        {...props}
        readOnly={readOnly}
        // If the value no longer matches the typed text, it was set from outside: by a preset, an undo or the server.
        value={typed !== null && read(typed) === value ? typed : value}
        error={error ?? (isLeft && isUnread ? wordsAgainst[of](value) : null)}
        onFocus={(event: FocusEvent<HTMLInputElement>) => {
          setLeft(false)
          onFocus?.(event)
        }}
        onBlur={(event: FocusEvent<HTMLInputElement>) => {
          setTyped(null)
          setLeft(true)
          onBlur?.(event)
        }}
        onChange={(event) => {
          const text = event.currentTarget.value
          setTyped(text)
          onChange(read(text), text)
        }}
        rightSection={
          <ActionIcon
            variant="subtle"
            color="gray"
            size={24}
            disabled={readOnly === true || props.disabled === true}
            aria-label={`Calendar for “${label}”`}
            {...button}
          >
            <IconCalendar size={16} stroke={1.7} />
          </ActionIcon>
        }
      />
      {floating !== null && (
        <CalendarPanel
          {...floating}
          of={of}
          value={isUnread ? '' : value}
          pick={(text) => onChange(text)}
          {...context}
        />
      )}
    </>
  )
}
