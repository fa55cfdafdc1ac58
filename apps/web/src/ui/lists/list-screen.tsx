import type { ComponentProps, ReactNode } from 'react'
import { PageBack, PageHead } from '../layout/page.tsx'
import classes from './list-view.module.css'
import { ListView, type ListViewProps } from './list-view.tsx'
import { ColumnsMenu } from './table/columns-menu.tsx'
import { useColumnPreferences } from './table/use-column-preferences.ts'

type Props<Row extends { id: string }> = ListViewProps<Row> &
  Omit<ComponentProps<typeof PageHead>, 'title'> & {
    title: string
    /** A `<BackLink>`. */
    back?: ReactNode
    /** Notices above the filters. */
    notices?: ReactNode
    filters?: ReactNode
    /** Replaces the rows, regardless of loaded data. */
    instead?: ReactNode | undefined
    /** Content below the rows. */
    below?: ReactNode
    /** Dialogs of the screen. */
    children?: ReactNode
  }

/**
 * A screen that consists of one list: title, filters and rows in one scroll area, with the count below. Column preferences and position are stored
 * under `name`.
 */
export function ListScreen<Row extends { id: string }>(props: Props<Row>) {
  const { title, tab, lead, actions, back, notices, filters, children, ...list } = props
  const [preferences, onPreferences] = useColumnPreferences(list.name, list.columns)
  return (
    <div className={classes.screen} data-list-screen>
      <ListView
        {...list}
        preferences={preferences}
        onPreferences={onPreferences}
        above={
          <div className={classes.head}>
            {back !== undefined && <PageBack>{back}</PageBack>}
            <PageHead
              title={title}
              tab={tab}
              lead={lead}
              actions={
                <>
                  {actions}
                  <ColumnsMenu columns={list.columns} preferences={preferences} onPreferences={onPreferences} />
                </>
              }
            />
            {notices}
            {filters}
          </div>
        }
      />
      {children}
    </div>
  )
}
