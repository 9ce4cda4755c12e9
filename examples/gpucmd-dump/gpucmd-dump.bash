# Completion of gpucmd-dump for bash. Options and pages come from its help.
_gpucmd_dump()
{
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} vendor=
    local word
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        case $word in nv | i915 | agx | formats) vendor=$word && break ;; esac
    done
    COMPREPLY=()
    case $prev in
    --format) mapfile -t COMPREPLY < <(compgen -W 'text tsv json' -- "$cur") ;;
    --color) mapfile -t COMPREPLY < <(compgen -W 'auto always never' -- "$cur") ;;
    --mode) mapfile -t COMPREPLY < <(compgen -W 'nv4 ib' -- "$cur") ;;
    --fmt) mapfile -t COMPREPLY < <(compgen -W 'new old both' -- "$cur") ;;
    --engine) mapfile -t COMPREPLY < <(compgen -W 'rcs bcs vcs vecs ccs gsc' -- "$cur") ;;
    --input)
        mapfile -t COMPREPLY < <(compgen -W "$("${COMP_WORDS[0]}" "$vendor" --input '?' 2>&1 </dev/null |
            sed -n "s/.*expected //p" | tr '|' ' ')" -- "$cur")
        ;;
    --gen | --chip | --base | --sli | --stream | --class | --budget) ;;
    *)
        if [[ $cur == -* ]]; then
            mapfile -t COMPREPLY < <(compgen -W "$({ "${COMP_WORDS[0]}" --help
                [ -z "$vendor" ] || "${COMP_WORDS[0]}" "$vendor" --help; } 2>/dev/null |
                grep -o -e '^  --[a-z-]*')" -- "$cur")
        elif [[ -z $vendor ]]; then
            mapfile -t COMPREPLY < <(compgen -W 'nv i915 agx formats' -- "$cur")
        else
            mapfile -t COMPREPLY < <(compgen -f -- "$cur")
        fi
        ;;
    esac
}
complete -o filenames -F _gpucmd_dump gpucmd-dump
