import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './page.module.css'

type PageProps = Partial<HeadProps> & {
  /** A `<BackLink>`, and buttons beside it. */
  back?: ReactNode
  /** A page of text and fields is narrower than one that is a table. */
  width?: 'text' | 'table'
  children: ReactNode
}

/** A screen that scrolls as a whole. Without a `title` it shows the back link alone; its content then begins with a `<PageHead>`. */
export function Page({ back, width = 'table', title, children, ...head }: PageProps) {
  return (
    <div className={classes.page} data-width={width}>
      {back !== undefined && <PageBack>{back}</PageBack>}
      {title !== undefined && <PageHead title={title} {...head} />}
      {children}
    </div>
  )
}

/** The way back, above the title, and what goes to the neighbours of the page. */
export function PageBack({ children }: { children: ReactNode }) {
  return <div className={classes.back}>{children}</div>
}

type HeadProps = {
  title: ReactNode
  /** The name of the browser's tab, where it is not the title. */
  tab?: string | undefined
  /** One or two sentences on the purpose of the screen, or the state of what it shows. */
  lead?: ReactNode
  actions?: ReactNode
}

/** The heading of a page, with its actions at the right. */
export function PageHead({ title, tab, lead, actions }: HeadProps) {
  const name = tab ?? (typeof title === 'string' ? title : undefined)
  return (
    <header className={classes.head}>
      {name !== undefined && <title>{`${name} · Prospect Platform`}</title>}
      <div className={classes.words}>
        <Title order={1}>{title}</Title>
        {lead !== undefined && <div className={classes.lead}>{lead}</div>}
      </div>
      {actions !== undefined && actions !== false && <div className={classes.actions}>{actions}</div>}
    </header>
  )
}
