import { IconArrowLeft } from '@tabler/icons-react'
import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import classes from './back-link.module.css'

function BackAnchor({ children, ...props }: ComponentProps<'a'>) {
  return (
    <a {...props} className={classes.link}>
      <IconArrowLeft size={15} stroke={1.7} aria-hidden />
      {children}
    </a>
  )
}

/** Link from a page back to its list. */
export const BackLink = createLink(BackAnchor)
