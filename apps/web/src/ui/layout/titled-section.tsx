import { Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import classes from './titled-section.module.css'

type Props = {
  title: string
  /** Target of links to the section. */
  id?: string
  children: ReactNode
}

/** Section of a page with its title beside it, or above it on a narrow screen. */
export function TitledSection({ title, id, children }: Props) {
  const heading = useId()
  return (
    <section id={id} className={classes.section} aria-labelledby={heading}>
      <Title order={2} id={heading}>
        {title}
      </Title>
      <div>{children}</div>
    </section>
  )
}
