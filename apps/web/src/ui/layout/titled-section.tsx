import { Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import classes from './titled-section.module.css'

/** Section of a page with its title beside it, or above it on a narrow screen. */
export function TitledSection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className={classes.section} aria-labelledby={id}>
      <Title order={2} id={id}>
        {title}
      </Title>
      <div>{children}</div>
    </section>
  )
}
