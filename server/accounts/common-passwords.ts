/**
 * Passwords of eight characters and more that are guessed first, in small letters: words, names and keyboard walks with the
 * endings people put to them. Shorter ones need not be here, they are refused for their length.
 */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(`
  !@#$%^&* !@#$%^&*( !@#$%^&*() !qaz2wsx 01234567 012345678 0123456789 098765432 0987654321 0okm9ijn 1!2@3#4$ 11223344
  1122334455 112233445566 12121212 123123123 123321123 12341234 12344321 1234512345 123454321 1234554321 123456123456
  12345678 123456789 1234567890 12345678910 123456789a 123456789q 123456789z 12345678a 12345678q 1234567a 1234567q
  12345qwert 1234abcd 1234asdf 1234password 1234qwer 1234rewq 123789456 123abc123 123password 123qwe123 123qwe123qwe
  123qweasd 12qwaszx 147258369 147852369 159357456 159753456 1a2b3c4d 1a2b3c4d5e 1password 1q2w3e4r 1q2w3e4r5t 1qaz2wsx
  1qaz2wsx3edc 1qazxsw2 1qw23er4 2wsx3edc 4321rewq 5201314520 741852963 789456123 789456123a 87654321 987654321 9876543210
  a1234567 a12345678 a123456789 a1b2c3d4 a1b2c3d4e5 aa123456 aa12345678 aaa111222 abc12345 abc123456 abc123456789
  abc123abc abcabcabc abcd1234 abcdefgh abcdefghi abcdefghij access12 access123 access14 admin007 admin123 admin123!
  admin1234 admin12345 admin123456 admin2020 admin2021 admin2022 admin2023 admin2024 admin2025 admin2026 admin@123
  admin@1234 adminadmin administrator administrator1 administrator12 administrator123 agent007 alexander alexander1
  alexander12 alexander123 amazon12 amazon123 america1 america12 america123 andrew12 andrew123 android1 android12
  android123 angel123 anthony1 anthony12 anthony123 apple123 april123 arsenal1 arsenal12 arsenal123 asd12345 asd123456
  asdf1234 asdfasdf asdfgh12 asdfgh123 asdfghj1 asdfghjk asdfghjk1 asdfghjk12 asdfghjk123 asdfghjkl asdfghjkl1 asdfghjkl12
  asdfghjkl123 asdfghjkl; asdfjkl; ashley12 ashley123 asshole1 august12 august123 autumn00 autumn007 autumn01 autumn1!
  autumn11 autumn12 autumn123 autumn123! autumn1234 autumn12345 autumn123456 autumn2020 autumn2021 autumn2022 autumn2023
  autumn2024 autumn2025 autumn2026 autumn69 autumn99 autumnautumn azerty00 azerty007 azerty01 azerty1! azerty11 azerty12
  azerty123 azerty123! azerty1234 azerty12345 azerty123456 azerty2020 azerty2021 azerty2022 azerty2023 azerty2024
  azerty2025 azerty2026 azerty69 azerty99 azertyazerty azertyui azertyui1 azertyui12 azertyui123 azertyuiop azertyuiop1
  azertyuiop12 azertyuiop123 babyboy1 babyboy12 babyboy123 babygirl babygirl1 babygirl12 babygirl123 banana12 banana123
  barcelona barcelona1 barcelona12 barcelona123 baseball baseball! baseball00 baseball007 baseball01 baseball1 baseball1!
  baseball11 baseball12 baseball123 baseball123! baseball1234 baseball12345 baseball123456 baseball2020 baseball2021
  baseball2022 baseball2023 baseball2024 baseball2025 baseball2026 baseball69 baseball99 baseballbaseball basketball
  basketball1 basketball12 basketball123 batman12 batman123 bitcoin1 bitcoin12 bitcoin123 biteme123 blessed1 blessed12
  blessed123 blink182 blink1821 blink18212 blink182123 broncos1 broncos12 broncos123 brother1 brother12 brother123
  bullshit business business1 business12 business123 buster12 buster123 butterfly butterfly1 butterfly12 butterfly123
  california california1 california12 california123 canada12 canada123 cde34rfv changeit changeit1 changeit12 changeit123
  changeme changeme! changeme00 changeme007 changeme01 changeme1 changeme1! changeme11 changeme12 changeme123 changeme123!
  changeme1234 changeme12345 changeme123456 changeme2020 changeme2021 changeme2022 changeme2023 changeme2024 changeme2025
  changeme2026 changeme69 changeme99 changemechangeme charlie! charlie00 charlie007 charlie01 charlie1 charlie1! charlie11
  charlie12 charlie123 charlie123! charlie1234 charlie12345 charlie123456 charlie2020 charlie2021 charlie2022 charlie2023
  charlie2024 charlie2025 charlie2026 charlie69 charlie99 charliecharlie cheese12 cheese123 chelsea1 chelsea12 chelsea123
  chocolate chocolate1 chocolate12 chocolate123 christ12 christ123 christopher christopher1 christopher12 christopher123
  computer computer1 computer12 computer123 contrasena contrasena1 contrasena12 contrasena123 cookie12 cookie123
  correcthorse correcthorsebatterystaple corvette corvette1 corvette12 corvette123 cowboy12 cowboys1 cowboys12 cowboys123
  crypto12 crypto123 crystal1 crystal12 crystal123 cutie123 dallas22 daniel12 daniel123 darkside december december1
  december12 december123 default! default00 default007 default01 default1 default1! default11 default12 default123
  default123! default1234 default12345 default123456 default2020 default2021 default2022 default2023 default2024
  default2025 default2026 default69 default99 defaultdefault demo123! demo1234 demo12345 demo123456 demo2020 demo2021
  demo2022 demo2023 demo2024 demo2025 demo2026 demodemo diamond1 diamond12 diamond123 dolphin1 dolphin12 dolphin123
  dragon00 dragon007 dragon01 dragon1! dragon11 dragon12 dragon123 dragon123! dragon1234 dragon12345 dragon123456
  dragon2020 dragon2021 dragon2022 dragon2023 dragon2024 dragon2025 dragon2026 dragon69 dragon99 dragondragon drowssap
  eagle123 eagles12 elizabeth elizabeth1 elizabeth12 elizabeth123 eminem12 eminem123 facebook facebook1 facebook12
  facebook123 faith123 falcon12 falcon123 family12 family123 father12 father123 february february1 february12 february123
  ferrari1 ferrari12 ferrari123 florida1 florida12 florida123 flower12 flower123 football football! football00 football007
  football01 football1 football1! football11 football12 football123 football123! football1234 football12345 football123456
  football2020 football2021 football2022 football2023 football2024 football2025 football2026 football69 football99
  footballfootball forever1 forever12 forever123 fortnite fortnite1 fortnite12 fortnite123 freedom1 freedom12 freedom123
  friday12 friday123 fuckoff1 fuckyou1 fuckyou123 fuckyou2 gandalf1 garfield garfield1 garfield12 garfield123 ginger12
  ginger123 godofwar golden12 golden123 goodluck goodluck1 goodluck12 goodluck123 google12 google123 gryffindor guest007
  guest123 guest123! guest1234 guest12345 guest123456 guest2020 guest2021 guest2022 guest2023 guest2024 guest2025
  guest2026 guestguest guitar12 guitar123 harley12 harley123 harrypotter heaven12 heaven123 hello007 hello123 hello123!
  hello1234 hello12345 hello123456 hello2020 hello2021 hello2022 hello2023 hello2024 hello2025 hello2026 hellohello
  hellohello1 hellohello12 hellohello123 helloworld helloworld1 helloworld12 helloworld123 heslo123 hockey12 hockey123
  hogwarts honey123 hottie12 hunter12 hunter123 ihateyou ilovegod iloveme1 iloveme123 iloveu12 iloveu123 iloveyou
  iloveyou! iloveyou00 iloveyou007 iloveyou01 iloveyou1 iloveyou1! iloveyou11 iloveyou112 iloveyou1123 iloveyou12
  iloveyou123 iloveyou123! iloveyou1234 iloveyou12345 iloveyou123456 iloveyou2 iloveyou2020 iloveyou2021 iloveyou2022
  iloveyou2023 iloveyou2024 iloveyou2025 iloveyou2026 iloveyou21 iloveyou212 iloveyou2123 iloveyou3 iloveyou69 iloveyou99
  iloveyouiloveyou internet internet1 internet12 internet123 iphone12 iphone123 isabella isabella1 isabella12 isabella123
  jamesbond jamesbond007 january1 january12 january123 jennifer jennifer1 jennifer12 jennifer123 jessica1 jessica12
  jessica123 jesus123 jordan12 jordan123 jordan23 jordan231 jordan2312 jordan23123 joshua12 joshua123 juventus juventus1
  juventus12 juventus123 killer12 killer123 knight12 knight123 kobe2408 lakers12 lakers123 lakers24 letmein! letmein00
  letmein007 letmein01 letmein1 letmein1! letmein11 letmein112 letmein1123 letmein12 letmein123 letmein123! letmein1234
  letmein12345 letmein123456 letmein2020 letmein2021 letmein2022 letmein2023 letmein2024 letmein2025 letmein2026 letmein69
  letmein99 letmeinletmein letmeinn letmeinplease liverpool liverpool1 liverpool12 liverpool123 lkjhgfdsa login007
  login123 login123! login1234 login12345 login123456 login2020 login2021 login2022 login2023 login2024 login2025
  login2026 loginlogin london12 london123 lordoftherings love1234 lovelove lovelove1 lovelove12 lovelove123 lovely12
  lovely123 loveme12 loveme123 loveyou1 loveyou2 manchester manchester1 manchester12 manchester123 march123 master00
  master007 master01 master1! master11 master12 master123 master123! master1234 master12345 master123456 master2020
  master2021 master2022 master2023 master2024 master2025 master2026 master69 master99 mastermaster matrix12 matrix123
  matthew1 matthew12 matthew123 maverick maverick1 maverick12 maverick123 mercedes mercedes1 mercedes12 mercedes123
  metallica metallica1 metallica12 metallica123 mexico12 mexico123 michael! michael00 michael007 michael01 michael1
  michael1! michael11 michael12 michael123 michael123! michael1234 michael12345 michael123456 michael2020 michael2021
  michael2022 michael2023 michael2024 michael2025 michael2026 michael69 michael99 michaelmichael michelle michelle1
  michelle12 michelle123 mickey12 mickey123 microsoft microsoft1 microsoft12 microsoft123 minecraft minecraft1 minecraft12
  minecraft123 mnbvcxz1 mnbvcxz123 monday12 monday123 money123 monkey00 monkey007 monkey01 monkey1! monkey11 monkey12
  monkey123 monkey123! monkey1234 monkey12345 monkey123456 monkey2020 monkey2021 monkey2022 monkey2023 monkey2024
  monkey2025 monkey2026 monkey69 monkey99 monkeymonkey motdepasse motdepasse1 motdepasse12 motdepasse123 mother12
  mother123 motherfucker music123 mustang1 mustang12 mustang123 mylove12 mylove123 mypassword mypassword1 natasha1
  natasha12 natasha123 ncc1701d ncc1701e newpassword newyork1 newyork12 newyork123 nicholas nicholas1 nicholas12
  nicholas123 nintendo nintendo1 nintendo12 nintendo123 nirvana1 nirvana12 nirvana123 nopassword november november1
  november12 november123 october1 october12 october123 oldpassword opensesame orange12 orange123 p@55w0rd p@ssw0rd
  p@ssw0rd! p@ssw0rd00 p@ssw0rd007 p@ssw0rd01 p@ssw0rd1 p@ssw0rd1! p@ssw0rd11 p@ssw0rd12 p@ssw0rd123 p@ssw0rd123!
  p@ssw0rd1234 p@ssw0rd12345 p@ssw0rd123456 p@ssw0rd2020 p@ssw0rd2021 p@ssw0rd2022 p@ssw0rd2023 p@ssw0rd2024 p@ssw0rd2025
  p@ssw0rd2026 p@ssw0rd69 p@ssw0rd99 p@ssw0rdp@ssw0rd p@ssword p@ssword! p@ssword00 p@ssword007 p@ssword01 p@ssword1
  p@ssword1! p@ssword11 p@ssword12 p@ssword123 p@ssword123! p@ssword1234 p@ssword12345 p@ssword123456 p@ssword2020
  p@ssword2021 p@ssword2022 p@ssword2023 p@ssword2024 p@ssword2025 p@ssword2026 p@ssword69 p@ssword99 p@sswordp@ssword
  pa$$w0rd pa$$word pa55word pa55word1 pa55word12 pa55word123 packers1 packers12 packers123 panther1 panther12 panther123
  parola12 parola123 pass1234 pass12345 pass123456 passpass passpass1 passw0rd passw0rd! passw0rd00 passw0rd007 passw0rd01
  passw0rd1 passw0rd1! passw0rd11 passw0rd12 passw0rd123 passw0rd123! passw0rd1234 passw0rd12345 passw0rd123456
  passw0rd2020 passw0rd2021 passw0rd2022 passw0rd2023 passw0rd2024 passw0rd2025 passw0rd2026 passw0rd69 passw0rd99
  passw0rdpassw0rd password password! password00 password007 password01 password1 password1! password11 password12
  password12! password123 password123! password1234 password1234! password12345 password123456 password2020 password2021
  password2022 password2023 password2024 password2025 password2026 password69 password99 passwordpassword passwords
  passwort passwort1 passwort12 passwort123 patrick1 patrick12 patrick123 patriots patriots1 patriots12 patriots123
  paypal12 paypal123 pepper12 pepper123 phoenix1 phoenix12 phoenix123 playstation playstation1 playstation12
  playstation123 poiuytrewq pokemon1 pokemon12 pokemon123 porsche1 porsche12 porsche123 princess princess! princess00
  princess007 princess01 princess1 princess1! princess11 princess12 princess123 princess123! princess1234 princess12345
  princess123456 princess2020 princess2021 princess2022 princess2023 princess2024 princess2025 princess2026 princess69
  princess99 princessprincess private1 private12 private123 purple12 purple123 q1234567 q123456789 q1w2e3r4 q1w2e3r4t5
  qazwsx123 qazwsxedc qpalzm123 qwaszx12 qwe12345 qwe123456 qweasd123 qweasdzxc qweqweqwe qwer1234 qwerasdf qwert1234
  qwert12345 qwerty!@ qwerty00 qwerty007 qwerty01 qwerty1! qwerty11 qwerty12 qwerty12! qwerty123 qwerty123! qwerty1234
  qwerty12345 qwerty123456 qwerty2020 qwerty2021 qwerty2022 qwerty2023 qwerty2024 qwerty2025 qwerty2026 qwerty69 qwerty99
  qwertyqwerty qwertyu1 qwertyu12 qwertyu123 qwertyui qwertyui1 qwertyui12 qwertyui123 qwertyuiop qwertyuiop1 qwertyuiop12
  qwertyuiop123 qwertz00 qwertz007 qwertz01 qwertz1! qwertz11 qwertz12 qwertz123 qwertz123! qwertz1234 qwertz12345
  qwertz123456 qwertz2020 qwertz2021 qwertz2022 qwertz2023 qwertz2024 qwertz2025 qwertz2026 qwertz69 qwertz99 qwertzqwertz
  qwertzui qwertzui1 qwertzui12 qwertzui123 qwertzuiop qwertzuiop1 qwertzuiop12 qwertzuiop123 raiders1 raiders12
  raiders123 ranger12 ranger123 realmadrid realmadrid1 realmadrid12 realmadrid123 redsox123 rockyou1 rockyou12 rockyou123
  root123! root1234 root12345 root123456 root2020 root2021 root2022 root2023 root2024 root2025 root2026 rootroot salasana
  salasana1 salasana12 salasana123 samantha samantha1 samantha12 samantha123 samsung1 samsung12 samsung123 saturday
  saturday1 saturday12 saturday123 scooby12 scooby123 secret00 secret007 secret01 secret1! secret11 secret12 secret123
  secret123! secret1234 secret12345 secret123456 secret2020 secret2021 secret2022 secret2023 secret2024 secret2025
  secret2026 secret69 secret99 secretsecret security security1 security12 security123 september september1 september12
  september123 shadow00 shadow007 shadow01 shadow1! shadow11 shadow12 shadow123 shadow123! shadow1234 shadow12345
  shadow123456 shadow2020 shadow2021 shadow2022 shadow2023 shadow2024 shadow2025 shadow2026 shadow69 shadow99 shadowshadow
  signin12 signin123 silver12 silver123 sister12 sister123 skywalker slipknot slipknot1 slipknot12 slipknot123 snoopy12
  snoopy123 soccer12 soccer123 softball softball1 softball12 softball123 spiderman spiderman1 spiderman12 spiderman123
  spring00 spring007 spring01 spring1! spring11 spring12 spring123 spring123! spring1234 spring12345 spring123456
  spring2020 spring2021 spring2022 spring2023 spring2024 spring2025 spring2026 spring69 spring99 springspring startrek
  startrek1 starwars starwars1 starwars12 starwars123 steelers steelers1 steelers12 steelers123 stephanie stephanie1
  stephanie12 stephanie123 sugar123 summer00 summer007 summer01 summer1! summer11 summer12 summer123 summer123! summer1234
  summer12345 summer123456 summer2020 summer2021 summer2022 summer2023 summer2024 summer2025 summer2026 summer69 summer99
  summersummer sunday12 sunday123 sunshine sunshine! sunshine00 sunshine007 sunshine01 sunshine1 sunshine1! sunshine11
  sunshine12 sunshine123 sunshine123! sunshine1234 sunshine12345 sunshine123456 sunshine2020 sunshine2021 sunshine2022
  sunshine2023 sunshine2024 sunshine2025 sunshine2026 sunshine69 sunshine99 sunshinesunshine superman superman! superman00
  superman007 superman01 superman1 superman1! superman11 superman12 superman123 superman123! superman1234 superman12345
  superman123456 superman2020 superman2021 superman2022 superman2023 superman2024 superman2025 superman2026 superman69
  superman99 supermansuperman sweetheart sweetheart1 sweetheart12 sweetheart123 sweety12 sweety123 temp123! temp1234
  temp12345 temp123456 temp2020 temp2021 temp2022 temp2023 temp2024 temp2025 temp2026 temptemp tennis12 tennis123 test123!
  test1234 test12345 test123456 test12345678 test2020 test2021 test2022 test2023 test2024 test2025 test2026 test@123
  testing1 testing123 testpass testpassword testtest texas123 thepassword thunder1 thunder12 thunder123 thursday thursday1
  thursday12 thursday123 tiger123 toor1234 topsecret trinity1 trinity12 trinity123 trustno1 trustno11 trustno112
  trustno1123 tuesday1 tuesday12 tuesday123 user123! user1234 user12345 user123456 user2020 user2021 user2022 user2023
  user2024 user2025 user2026 username username1 userpass useruser valentina valentina1 valentina12 valentina123 veronica
  veronica1 veronica12 veronica123 victoria victoria1 victoria12 victoria123 volleyball volleyball1 volleyball12
  volleyball123 w123456789 wachtwoord wachtwoord1 wachtwoord12 wachtwoord123 warrior1 warrior12 warrior123 wednesday
  wednesday1 wednesday12 wednesday123 welcome! welcome00 welcome007 welcome01 welcome1 welcome1! welcome11 welcome112
  welcome1123 welcome12 welcome123 welcome123! welcome1234 welcome12345 welcome123456 welcome2020 welcome2021 welcome2022
  welcome2023 welcome2024 welcome2025 welcome2026 welcome69 welcome99 welcome@123 welcomewelcome whatever whatever1
  whatever12 whatever123 windows1 windows12 windows123 winter00 winter007 winter01 winter1! winter11 winter12 winter123
  winter123! winter1234 winter12345 winter123456 winter2020 winter2021 winter2022 winter2023 winter2024 winter2025
  winter2026 winter69 winter99 winterwinter wizard12 wizard123 woaini1314 woaini520 yamaha12 yamaha123 yankees1 yankees12
  yankees123 yellow12 yellow123 yourpassword youtube1 youtube12 youtube123 zaq12wsx zaq1xsw2 zse45rdx zxc12345 zxcvbn12
  zxcvbn123 zxcvbnm, zxcvbnm,1 zxcvbnm,12 zxcvbnm,123 zxcvbnm1 zxcvbnm12 zxcvbnm123
`.trim().split(/\s+/))
