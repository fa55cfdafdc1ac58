// Style sheets of every screen, in ascending precedence.
import './reset.css'
import './mantine.css'
import '@fontsource-variable/inter/wght.css'
import './tokens.css'
import './base.css'
