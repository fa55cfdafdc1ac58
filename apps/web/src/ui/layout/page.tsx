import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './page.module.css'

type PageProps = Partial<HeadProps> & {
  /** A `<BackLink>`, and buttons beside it. */
  back?: ReactNode
  /** 'text' is narrower, for text and fields. */
  width?: 'text' | 'table'
  children: ReactNode
}

/** A screen that scrolls as a whole. Without a `title` it shows only the back link, and its content starts with a `<PageHead>`. */
export function Page({ back, width = 'table', title, children, ...head }: PageProps) {
  return (
    <div className={classes.page} data-width={width}>
      {back !== undefined && <PageBack>{back}</PageBack>}
      {title !== undefined && <PageHead title={title} {...head} />}
      {children}
    </div>
  )
}

/** Row above the title with the back link and links to neighbouring records. */
export function PageBack({ children }: { children: ReactNode }) {
  return <div className={classes.back}>{children}</div>
}

type HeadProps = {
  title: ReactNode
  /** Title of the browser tab if it differs from the page title. */
  tab?: string | undefined
  /** One or two sentences about the purpose or the state of the screen. */
  lead?: ReactNode
  actions?: ReactNode
}

/** Heading of a page, with its actions on the right. */
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
