/** Styles, scripts and their fallbacks, as website builders write them before the text of a page. */
export const pageHead =
  '<meta charset="utf-8"><style>body { color: #222 }</style><script>window.dataLayer = []</script><noscript><style>.lazy { display: none }</style></noscript><template><p>Menu</p></template>'
