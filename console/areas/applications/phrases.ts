import { phrases } from '../../phrases.ts'

export const texts = phrases({
  en: {
    lead: 'Websites, apps and services whose users sign in here.',
    none: 'You don’t have any applications yet. Creating the first one takes a minute.',
    create: 'Create an application',
    createLead: 'You’ll get an ID and sample code for your library.',
    kindQuestion: 'What are you building?',
    spa: 'Single-page application',
    spaLead: 'Runs entirely in the browser: React, Vue or plain JavaScript.',
    web: 'Web application',
    webLead: 'Has a server that can keep a secret: Next.js, Express, Python, Go, PHP, .NET.',
    native: 'Native app',
    nativeLead: 'Installed on a phone or a computer: Swift, Kotlin, command line.',
    machine: 'Machine to machine',
    machineLead: 'A service that calls APIs on its own, without users.',
    device: 'Device without a browser',
    deviceLead: 'A TV or a terminal: users enter a code on their phone.',
    agent: 'Agent (MCP client)',
    agentLead:
      'Acts on behalf of users who have allowed it. You don’t need to add agents that register themselves.',
    nameHint: 'Users see this name when they sign in.',
    machineNameHint: 'Administrators see this name here and in the log.',
    isAbove: 'This application has permissions that your roles don’t, so only an owner can change it.',
    descriptionHint: 'Only administrators see this.',
    logoUri: 'Logo URL',
    logoHint: 'We show the logo when we ask users for their consent.',
    guide: 'Guide',
    basics: 'Basics',
    deleteTitle: 'Delete {name}?',
    deleteLead:
      'It will no longer be able to sign users in or call APIs, and all its tokens will stop working. You can’t undo this.',
    deleted: '{name} was deleted',
  },
  de: {
    lead: 'Websites, Apps und Dienste, deren Benutzer sich hier anmelden.',
    none: 'Es gibt noch keine Anwendungen. Es dauert eine Minute, die erste zu erstellen.',
    create: 'Anwendung erstellen',
    createLead: 'Sie erhalten eine ID und Code zum Kopieren für die Bibliothek, die Sie verwenden.',
    kindQuestion: 'Was entwickeln Sie?',
    spa: 'Single-Page-Anwendung',
    spaLead: 'Läuft nur im Browser: React, Vue, reines JavaScript.',
    web: 'Webanwendung',
    webLead: 'Hat einen Server, der ein Secret bewahrt: Next.js, Express, Python, Go, PHP, .NET.',
    native: 'Native App',
    nativeLead: 'Auf Telefon oder Computer installiert: Swift, Kotlin, Kommandozeile.',
    machine: 'Maschine zu Maschine',
    machineLead: 'Ein Dienst, der selbst APIs aufruft, ohne Benutzer.',
    device: 'Gerät ohne Browser',
    deviceLead: 'Ein Fernseher oder ein Terminal: Benutzer geben am Telefon einen Code ein.',
    agent: 'Agent (MCP-Client)',
    agentLead:
      'Handelt für Benutzer, die es erlaubt haben. Agenten, die sich selbst registrieren, brauchen hier keinen Eintrag.',
    nameHint: 'Benutzer sehen ihn bei der Anmeldung.',
    machineNameHint: 'Administratoren sehen ihn hier und im Protokoll.',
    isAbove:
      'Diese Anwendung hat Berechtigungen, die Ihre Rollen nicht haben. Nur ein Inhaber kann sie ändern.',
    descriptionHint: 'Nur Administratoren sehen sie.',
    logoUri: 'Adresse des Logos',
    logoHint: 'Erscheint, wenn Benutzer um ihre Einwilligung gebeten werden.',
    guide: 'Anleitung',
    basics: 'Allgemeines',
    deleteTitle: '{name} löschen?',
    deleteLead:
      'Sie kann keine Benutzer mehr anmelden und keine APIs mehr aufrufen, und alle ihre Tokens verlieren ihre Gültigkeit. Das lässt sich nicht rückgängig machen.',
    deleted: '{name} wurde gelöscht',
  },
})

/** The phrases for the errors that `redirectFault` finds (spec/provider#redirect-uris). */
export const redirectErrorPhrases = phrases({
  en: {
    notUrl: 'isn’t a URL. A URL begins with a scheme, such as https://',
    fragment: 'can’t have a fragment (#)',
    scheme: 'must begin with https:, http: or a scheme with a dot, such as com.example.app:',
    webOnly: 'must begin with https: or http:',
    httpElsewhere: 'must begin with https:, unless it points to your own machine',
    httpThirdParty:
      'must begin with https:. A third-party application can only use http: on the user’s own machine',
    httpsLoopback: 'must begin with http:, because it points to your own machine',
  },
  de: {
    notUrl: 'ist keine URL. Eine URL beginnt mit einem Schema wie https://',
    fragment: 'darf kein Fragment (#) haben',
    scheme: 'muss mit https:, http: oder einem Schema mit Punkt wie com.example.app: beginnen',
    webOnly: 'muss mit https: oder http: beginnen',
    httpElsewhere: 'darf nur auf Ihrem eigenen Computer mit http: beginnen',
    httpThirdParty:
      'muss mit https: beginnen, oder auf dem Computer des Benutzers mit http:, weil die Anwendung einem Dritten gehört',
    httpsLoopback: 'muss auf Ihrem eigenen Computer mit http: beginnen',
  },
})

export const secretPhrases = phrases({
  en: {
    once: 'Copy the client secret into your application’s environment now (CLIENT_SECRET). The console won’t show it again.',
    hidden:
      'The console only shows a secret once, when it’s generated. If you’ve lost it or someone else knows it, generate a new one.',
    keys: 'The application authenticates with its key, so we don’t accept a secret.',
    hide: 'Hide',
  },
  de: {
    once: 'Kopieren Sie das Client-Secret jetzt in die Umgebung Ihrer Anwendung (CLIENT_SECRET). Die Konsole zeigt es nicht noch einmal an.',
    hidden:
      'Die Konsole zeigt ein Secret nur einmal an, wenn es erzeugt wird. Ist es verloren oder anderen bekannt, erzeugen Sie ein neues.',
    keys: 'Die Anwendung authentifiziert sich mit ihrem Schlüssel. Ein Secret wird nicht angenommen.',
    hide: 'Verbergen',
  },
})

export const trialPhrases = phrases({
  en: {
    title: 'Try it now',
    open: 'Open in a new tab',
    toGuide: 'Show the guide',
    start: 'Your application opens in a new tab and starts the sign-in itself.',
    request:
      'The sign-in page opens in a new tab, just as users of this application see it. Afterward, the browser is redirected to {returnsTo}. A well-behaved application rejects this response, because it didn’t start the sign-in. To test a complete sign-in, start from the application itself.',
    commands: 'This type of application doesn’t use redirects. You can copy its API calls from the guide.',
    pushed:
      'This application pushes its requests and signs them with its own key (FAPI 2.0), which the console doesn’t have. Start the sign-in from the application itself.',
  },
  de: {
    title: 'Jetzt ausprobieren',
    open: 'In neuem Tab öffnen',
    toGuide: 'Anleitung anzeigen',
    start: 'Ihre Anwendung öffnet sich in einem neuen Tab und beginnt selbst die Anmeldung.',
    request:
      'Die Anmeldeseite öffnet sich in einem neuen Tab, wie Benutzer dieser Anwendung sie sehen. Danach geht der Browser zu {returnsTo}. Eine Anwendung, die prüft, was sie angefordert hat, lehnt diese Antwort zu Recht ab: Für eine ganze Anmeldung beginnen Sie bei der Anwendung selbst.',
    commands:
      'Diese Art von Anwendung leitet niemanden weiter. Ihre API-Aufrufe können Sie aus der Anleitung kopieren.',
    pushed:
      'Anfragen dieser Anwendung werden vorab übermittelt und mit ihrem Schlüssel signiert (FAPI 2.0), den die Konsole nicht hat. Beginnen Sie die Anmeldung bei der Anwendung selbst.',
  },
})

export const guidePhrases = phrases({
  en: {
    title: 'Sign users in',
    callTitle: 'Call an API',
    lead: 'The code below contains this application’s ID and URLs.',
    leadWithSecret:
      'The code below contains this application’s ID and URLs. It reads the secret from the environment.',
    lacksApi: 'This code calls an API, and there isn’t one with a scope that this application can use yet.',
    createApi: 'Create an API',
    notExecuted: 'We haven’t run this code ourselves.',
    unregistered:
      'This code receives the response at {uri}. Add that to the redirect URIs of this application.',
    setup: 'Create a project',
    issuer: 'Issuer',
    redirectUri: 'Redirect URI',
    library: 'Library',
    install: 'Install',
    run: 'Try it',
    open: 'Then open',
    elsewhere:
      'The code listens on port {port}, so {origin} has to point to that port. To try it on your own machine, add {local} to the redirect URIs and use it in the code.',
    documentation: 'Library documentation',
  },
  de: {
    title: 'Benutzer anmelden',
    callTitle: 'Eine API aufrufen',
    lead: 'Der Code enthält die ID und die Adressen dieser Anwendung.',
    leadWithSecret:
      'Der Code enthält die ID und die Adressen dieser Anwendung. Das Secret liest er aus der Umgebung.',
    lacksApi:
      'Dieser Code ruft eine API auf. Es gibt aber noch keine API mit einem Scope, die diese Anwendung nutzen darf.',
    createApi: 'API erstellen',
    notExecuted: 'Wir haben diesen Code nicht selbst ausgeführt.',
    unregistered:
      'Dieser Code nimmt die Antwort unter {uri} entgegen. Fügen Sie diese Adresse zu den Redirect-URIs der Anwendung hinzu.',
    setup: 'Projekt erstellen',
    issuer: 'Issuer',
    redirectUri: 'Redirect-URI',
    library: 'Bibliothek',
    install: 'Installieren',
    run: 'Ausprobieren',
    open: 'Dann öffnen',
    elsewhere:
      'Der Code lauscht an Port {port}, und {origin} muss zu diesem Port führen. Um ihn auf dem eigenen Computer auszuprobieren, fügen Sie {local} zu den Redirect-URIs hinzu und verwenden Sie diese im Code.',
    documentation: 'Dokumentation der Bibliothek',
  },
})
