// Loads the operator's chat script. It could read the tokens in this origin's storage, so it stays
// out while one of them is an administrator's who acts as a user (client/tokens.ts).
{
  const { widget } = document.currentScript.dataset
  let isActing = false
  try {
    isActing = localStorage.getItem('evenpost.admin-token') !== null
  } catch {
    // Storage is closed: there is no token in it.
  }
  if (!isActing) {
    const script = document.createElement('script')
    script.async = true
    script.src = widget
    document.body.append(script)
  }
}
