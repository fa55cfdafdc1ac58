import type { ComponentProps } from 'react'
import classes from './fixed-table.module.css'

type Props = ComponentProps<'table'> & {
  /** 'plain' stays a table on a narrow screen, the rows of 'stacked' become blocks there, 'bare' has no look. */
  look?: 'plain' | 'stacked' | 'bare'
}

/** A table of figures or values that is part of a page: it is rendered whole, and no row opens a record. A list is a `<ListScreen>`. */
export function FixedTable({ look = 'plain', className = '', ...rest }: Props) {
  return <table className={look === 'bare' ? className : `${classes[look]} ${className}`} {...rest} />
}
