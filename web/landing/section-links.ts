/** On phones the links to sections are in a popover, which a click on one of them closes. */
export function closeAfterChoice(links: HTMLElement | null): void {
  links?.addEventListener('click', () => {
    if (links.matches(':popover-open')) links.hidePopover()
  })
}
