import type { ComponentProps } from 'react'
import classes from './fixed-table.module.css'

type Props = ComponentProps<'table'> & {
  /** 'plain' stays a table on a narrow screen; the rows of 'stacked' become blocks there; 'bare' has no style. */
  look?: 'plain' | 'stacked' | 'bare'
}

/** A table of figures or values within a page. It is rendered completely, and its rows open no record. For lists, use `<ListScreen>`. */
export function FixedTable({ look = 'plain', className = '', ...rest }: Props) {
  return <table className={look === 'bare' ? className : `${classes[look]} ${className}`} {...rest} />
}
