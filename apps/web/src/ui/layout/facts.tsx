import type { ReactNode } from 'react'
import { DateTime } from '../text/date-time.tsx'
import { Name } from '../text/name.tsx'
import classes from './facts.module.css'

type FactsProps = {
  /** Each name above its value, with as many pairs beside each other as fit. */
  look?: 'columns' | 'cards'
  /** Class that sets `--names` or margins. */
  className?: string | undefined
  children: ReactNode
}

/** Names and values of a record. */
export function Facts({ look = 'columns', className = '', children }: FactsProps) {
  return <dl className={`${look === 'cards' ? classes.cards : classes.facts} ${className}`}>{children}</dl>
}

/** One name with its value, in `Facts`. A fact without a value renders nothing. */
export function Fact({ label, children }: { label: ReactNode; children: ReactNode }) {
  if (children === null || children === undefined || children === false || children === '') return null
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** Person and time of a step: `Ann, 27 Nov 2026, 14:30`. */
export function By({ person, at }: { person: { name: string }; at: string }) {
  return (
    <>
      <Name of={person.name} />, <DateTime at={at} as="dateTime" />
    </>
  )
}
