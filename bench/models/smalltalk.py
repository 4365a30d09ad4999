"""Words of everyday talk that carry no fact: they make turns of a conversation out of plain passages.

`{name}` stands for the one spoken to, `{topic}` for words of the question.
"""

OPENERS = (
    "hey!", "hi {name}!", "hey {name},", "oh nice!", "oh wow,", "yeah,", "yes!", "haha,", "well,", "so,", "oh,",
    "aww,", "thanks {name}!", "thank you!", "totally,", "definitely!", "right,", "honestly,", "you know,", "i know!",
    "cool!", "that's great!", "sounds good!", "sure,", "of course!", "no worries,", "good question!",
    "glad you asked.", "hey {name}, long time no see!", "hi, how are you?", "great to hear from you!",
    "wow, that is amazing!", "thanks for asking, {name}!", "oh, i almost forgot,", "guess what,", "by the way,",
    "i wanted to tell you,", "it has been a busy week.", "i am doing well, thanks.", "that means a lot.", "i agree,",
    "exactly!", "hmm,", "i appreciate it, {name}.", "good to see you too!", "not much going on here, but",
    "as i said,", "lol,", "i totally get that.", "that's so true.", "i was thinking about that too.", "ok so",
    "let me think,", "great point,",
)  # fmt: skip

CLOSERS = (
    "what about you?", "how about you, {name}?", "how have you been?", "any plans for the weekend?",
    "what do you think?", "have you tried it?", "do you like it too?", "it was so much fun!", "i loved it.",
    "it means a lot to me.", "i can't wait!", "so excited!", "wish me luck!", "talk to you soon!", "take care!",
    "isn't that great?", "crazy, right?", "i will send you a picture.", "let me know what you think.",
    "thanks for listening.", "it really helped me relax.", "hope you are doing well.", "what have you been up to?",
    "anything new with you?", "can you help me with that?", "do you have any tips?", "could you recommend something?",
    "it was a great experience.", "you should come along!", "i am still thinking about it.",
    "we will see how it goes.", "it made my day.", "i'm proud of it.", "haha.",
)  # fmt: skip

# How someone asks for what the answer tells.
ASKING = (
    "i was wondering,", "remind me,", "do you know,", "by the way,", "quick question:", "so tell me,",
    "can you tell me", "i keep asking myself,", "out of curiosity,", "hey {name},", "hey!", "cool!",
    "that's great, {name}!", "wow,", "oh nice,", "i'd love to know,", "may i ask,", "sorry if i asked before,",
    "i am curious:", "tell me more,", "good to hear!", "and", "awesome!", "i forgot,", "one thing i wanted to ask:",
    "sounds lovely!", "haha, so", "please tell me,",
)  # fmt: skip

# What is said next, or in passing: it names the topic and tells nothing of it.
CHATTER = (
    "{topic} sounds great!", "wow {name}, {topic}? that is amazing!", "i love hearing about {topic}.",
    "that's awesome, {name}!", "thanks {name}, that means a lot to me.", "how is {topic} going?",
    "tell me more about {topic}!", "good luck with {topic}!", "i have been thinking about {topic} a lot.",
    "{topic}, really? i did not know that.", "that's so cool, i'm happy for you!",
    "i am so glad to hear that, {name}.", "we should talk about {topic} again soon.", "congrats on {topic}, {name}!",
    "you always have the best stories, {name}.", "i remember you told me about {topic}.",
    "i can imagine. {topic} is not easy.", "yeah, {topic} is so important.", "that must have been quite something.",
    "nice! do you enjoy {topic}?", "no way!", "thanks for telling me about {topic}.",
    "it's great that you care about {topic}.", "wow, i had no idea.", "me too, {name}!",
    "you are right, {name}. {topic} can be a lot of fun.", "keep it up, {name}!", "i hope {topic} works out for you.",
    "i would love to hear more about {topic} some time.", "oh yes, {topic}! what a time that was.",
    "i could not agree more.", "let's catch up on {topic} next week.", "i'm here if you want to talk about {topic}.",
    "that looks lovely, {name}.", "i never got around to {topic} myself.", "your {topic} always makes me smile.",
    "what a story, {name}!", "so true.", "sorry {name}, i was busy with {topic}.", "how did you get into {topic}?",
    "i saw something about {topic} the other day.", "{topic} has changed a lot, hasn't it?",
    "it's wonderful how {topic} brings people together.", "sounds like a plan!",
    "i would like some advice on {topic}.", "can you give me some tips for {topic}?",
    "here are some thoughts on {topic}.", "as for {topic}, it depends on what you like.",
    "that's a great question about {topic}.", "i'm happy to help with {topic}!",
)  # fmt: skip

NAMES = (
    "aaron abby adam aisha alan alejandro alex alice alicia amanda amir amy ana andrea andrew angela anita anna"
    " anthony arjun audrey ava barbara beatrice ben bella bianca bill bob brandon brian bruno caleb calvin camila"
    " carl carla carlos carol caroline cathy charles charlie charlotte chen chloe chris christina claire clara"
    " craig cynthia dan daniel dave david deborah dennis derek diana diego dmitri donna doris dylan ed edith"
    " eduardo elena eli elizabeth ella ellen emily emma eric erin ethan eva evan fatima felix fiona frank fred"
    " gabriel gary george gina gloria grace greg hana hannah harry hassan heather helen henry hugo ian ingrid"
    " irene isabel ivan jack jacob jake james jamie jan jane jasmine jason jay jean jeff jenna jennifer jesse"
    " jessica jill jim joan joanna joe john jonas jordan jose josh juan julia julie kai karen kate kayla keith"
    " kelly ken kevin kim kyle lara larry laura lauren leah lena leo leslie li liam lily linda lisa logan lola"
    " lucas lucy luis luke lydia maggie marco maria marie mark martha martin mary mason matt maya megan mei mia"
    " michael miguel mike mila mina miriam molly monica nadia nancy naomi natalie nate nick nicole nina noah nora"
    " oliver olivia omar oscar owen pam patricia patrick paul paula pedro penny peter phil priya rachel rafael raj"
    " ralph ray rebecca rita rob robert robin roger ron rosa rose ruby ruth ryan sam samira sandra sara scott sean"
    " sergio sharon simon sofia sonia sophie stella steve sue susan tara ted teresa tess theo thomas tim tina todd"
    " tom tony tyler uma valerie vera vic victor vincent walter wendy will yara yuki zach zara zoe"
)
