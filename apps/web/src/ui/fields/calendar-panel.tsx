import { Popover } from '@mantine/core'
import { DatePicker, TimePicker } from '@mantine/dates'
// A separate module, because the styles of the initial bundle are one sheet.
import styles from '@mantine/dates/styles.layer.css?url'
import type { Locale } from '@prospect/api-client'
import { ButtonProxy, type Floating, useIsDrawn } from '../layout/floating.tsx'
import { loadStyleSheet } from '../lazy/load-style-sheet.ts'
import { isTwelveHour } from '../text/date-format.ts'
import type { TypedKind } from '../text/typed-day.ts'
import classes from './calendar-panel.module.css'

type Props = Floating & {
  of: TypedKind
  /** '2026-11-27', '2026-11-27 14:30', or ''. */
  value: string
  pick: (text: string) => void
  today: string
  /** True if days before today cannot be picked. */
  isComing: boolean
  /** Decides whether the time has 12 or 24 hours. */
  locale: Locale
}

/** Default time for a picked day where a time is required. */
const NOON = '12:00'

export const loadStyles = () => loadStyleSheet(styles)

/** A calendar, with a time below it if the field has one. Loaded on first use. */
export function CalendarPanel({ of, value, pick, today, isComing, locale, id, button, isOpen, setOpen }: Props) {
  const isDrawn = useIsDrawn()
  const [day = '', time = ''] = value.split(' ')
  const set = (nextDay: string, nextTime: string) => pick(nextTime === '' ? nextDay : `${nextDay} ${nextTime}`)
  return (
    <Popover
      id={id}
      opened={isOpen && isDrawn}
      onChange={setOpen}
      position="bottom-end"
      trapFocus
      returnFocus
      // Inside a dialog or popover, a portal would be outside its focus trap.
      withinPortal={false}
      floatingStrategy="fixed"
    >
      <Popover.Target>
        <ButtonProxy button={button} />
      </Popover.Target>
      <Popover.Dropdown className={classes.dropdown}>
        <DatePicker
          value={day === '' ? null : day}
          defaultDate={day === '' ? today : day}
          size="sm"
          highlightToday
          hideOutsideDates
          {...(isComing && { minDate: today })}
          // Monday, as in “Due this week” of the API (docs/decisions/follow-up-dates.md).
          firstDayOfWeek={1}
          weekendDays={[]}
          // The buttons that choose a month or a year are named by their text, as WCAG 2.5.3 requires.
          ariaLabels={{
            previousMonth: 'Previous month',
            nextMonth: 'Next month',
            previousYear: 'Previous year',
            nextYear: 'Next year',
            previousDecade: 'Previous decade',
            nextDecade: 'Next decade',
          }}
          getDayProps={(date) => ({ ...(date === today && { 'aria-current': 'date' as const }) })}
          onChange={(picked) => {
            if (picked === null) return
            set(picked, time === '' && of === 'time' ? NOON : time)
            if (of === 'day') setOpen(false)
          }}
        />
        {of !== 'day' && (
          <TimePicker
            label={of === 'time' ? 'Time' : 'Time (optional)'}
            hoursInputLabel="Hours"
            minutesInputLabel="Minutes"
            amPmInputLabel="AM or PM"
            format={isTwelveHour(locale) ? '12h' : '24h'}
            clearable={of === 'dayOrTime'}
            clearButtonProps={{ 'aria-label': 'Clear time' }}
            disabled={day === ''}
            value={time}
            onChange={(next) => set(day, next.slice(0, 5) || (of === 'time' ? NOON : ''))}
          />
        )}
      </Popover.Dropdown>
    </Popover>
  )
}
