/*
 * Runs as soon as the forms of a prerendered page are there, written into the page by the build. A form that is submitted before
 * the application has loaded waits for it (ui/Form.tsx). Browsers without passkeys get no button for them.
 */
;(function () {
  if (!('PublicKeyCredential' in window) || /^[\d.]+$|^\[/.test(location.hostname))
    document.documentElement.setAttribute('data-no-passkeys', '')
  for (const form of document.forms) {
    form.dataset.early = ''
    form.addEventListener('submit', function (event) {
      if (!('early' in form.dataset)) return
      event.preventDefault()
      form.dataset.early = 'submitted'
    })
  }
})()
