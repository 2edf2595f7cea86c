"""A page for the phone: take a photo, see the score, settle what is doubtful, keep the games.

``app`` puts it together; ``routes`` answers, a module a subject; ``service`` holds what requests
share and what is in progress, ``answers`` what they are answered with; ``guard`` decides who may
ask for what; ``authority`` signs for https, ``secure`` watches connections; ``uploads`` takes
photos in, and `brikks_vision.intake.workers` reads them, in processes of their own;
`brikks_vision.intake.corrections` decodes a sheet anew with what a person says; ``pages`` fills the
templates and says what to draw over the sheet.

An uploaded photo lies in a temporary file while it is read, and is then deleted; ``service`` has
the last ones in memory, from which one can be kept to teach, cut to the sheet. What stays, in
the record, is what a later correction needs: the log-odds of all marks
(`brikks_vision.infer.evidence`, a few kilobytes), the straightened sheet as a JPEG that shows no
more than the sheet (so that a doubt can be looked at, and the reading drawn over it), and the
thumbnail. Both pictures are encoded anew from pixels, so nothing that the camera wrote into the
file, a position above all, is in them.

Needs the extra ``web``: ``pip install 'brikks-vision[web]'``.
"""
