/** Parameters of links that open without a sign-in: a log must not open what they lead to. */
const SECRET_PARAMETER = /:(link|name)\b/

/** The path of a request without its query; its route, where the path itself is a key. */
export const loggablePath = (route: string | undefined, url: string): string =>
  route && SECRET_PARAMETER.test(route) ? route : url.split('?', 1)[0]!
