import { ActionIcon, TextInput, type TextInputProps } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { type FocusEvent, type ReactNode, useState } from 'react'
import { serverNow } from '../api/server-clock.ts'
import { useSession } from '../api/session.ts'
import { useOpener } from '../layout/floating.tsx'
import { lazyPart } from '../lazy/lazy-part.tsx'
import { type Direction, dayFrom } from '../text/day.ts'
import { dayPattern, notADay, notATime, notAWhen, PAST_DAY } from '../text/day-words.ts'
import { dayIn, formatTyped, formatWeekday } from '../text/format.ts'
import { readTyped, type TypedKind } from '../text/typed-day.ts'

const CalendarPanel = lazyPart('calendar', async () => {
  const { CalendarPanel, loadStyles } = await import('./calendar-panel.tsx')
  await loadStyles()
  return CalendarPanel
})

const placeholders: Record<TypedKind, (pattern: string) => string> = {
  day: (pattern) => pattern,
  time: (pattern) => `${pattern} hh:mm`,
  dayOrTime: (pattern) => `${pattern} or ${pattern} hh:mm`,
}
const wordsAgainst = { day: notADay, time: notATime, dayOrTime: notAWhen }

type Props = Omit<TextInputProps, 'value' | 'onChange' | 'defaultValue'> & {
  of: TypedKind
  /** Side of today on which the days of this field are. */
  direction: Direction
  /** True if a day before today is an error, which is shown when the field is left. The form validates it with `problemOfComingDay`. */
  isComing?: boolean
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
export function TypedTime(props: Props) {
  const {
    of,
    direction,
    isComing = false,
    label,
    value = '',
    onChange,
    error,
    onFocus,
    onBlur,
    readOnly,
    ...more
  } = props
  const { description, ...input } = more
  const { tenant } = useSession()
  const [typed, setTyped] = useState<string | null>(null)
  const [isLeft, setLeft] = useState(false)
  const { button, floating } = useOpener('dialog')
  const today = dayIn(serverNow().toISOString(), tenant.timeZone)
  const context = { today, locale: tenant.locale, direction }
  const read = (text: string) => readTyped(text, of, context) ?? text
  const isUnread = value.trim() !== '' && readTyped(value, of, context) === null
  const day = dayFrom(value)
  const shown = isUnread ? value : formatTyped(readTyped(value, of, context) ?? '')
  const isPast = isComing && day !== null && day < today
  const problem = isUnread ? wordsAgainst[of](value, direction) : isPast ? PAST_DAY : null
  return (
    <>
      <TextInput
        label={label}
        placeholder={
          of === 'day' && direction === 'future' ? `friday or ${dayPattern()}` : placeholders[of](dayPattern())
        }
        autoComplete="off"
        maxLength={30}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        {...input}
        // People plan by weekdays, and a weekend is seldom meant.
        description={day !== null && direction === 'future' ? <Planned day={day}>{description}</Planned> : description}
        readOnly={readOnly}
        // If the value no longer matches the typed text, it was set from outside: by a preset, an undo or the server.
        value={typed !== null && read(typed) === value ? typed : shown}
        error={error ?? (isLeft ? problem : null)}
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
            disabled={readOnly === true || input.disabled === true}
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
          today={today}
          locale={tenant.locale}
          isComing={isComing}
        />
      )}
    </>
  )
}

function Planned({ day, children }: { day: string; children: ReactNode }) {
  return (
    <>
      {formatWeekday(day)}. {children}
    </>
  )
}
