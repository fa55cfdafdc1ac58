// The styles of every screen, from the weakest layer to the strongest.
import './reset.css'
import './mantine.css'
import '@fontsource-variable/inter/wght.css'
import './tokens.css'
import './base.css'
